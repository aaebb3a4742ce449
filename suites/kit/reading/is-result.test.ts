import { expect, test } from 'vitest';
import { isResult } from './is-result.ts';

test.each([{ choices: [] }, { message: {} }, { delta: {} }, { id: 'c', message: { content: 'x' } }])(
  'takes %j for a result',
  (value) => {
    expect(isResult(value)).toBe(true);
  },
);

test.each([{}, { choices: {} }, { message: 'x' }, { delta: null }, [], ['choices'], 'choices', 7, null])(
  'takes %j for no result',
  (value) => {
    expect(isResult(value)).toBe(false);
  },
);
