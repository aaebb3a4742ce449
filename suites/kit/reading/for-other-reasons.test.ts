import { expect, test } from 'vitest';
import { isForOtherReasons } from './for-other-reasons.ts';

test('takes no credit and too many requests for reasons that lie elsewhere, and no other refusal', () => {
  expect([400, 401, 402, 403, 404, 422, 429, 500].filter(isForOtherReasons)).toEqual([402, 429]);
});
