import { expect, test } from 'vitest';
import { isSuccess } from './is-success.ts';

test.each([200, 201, 299])('status %i is one of success', (status) => {
  expect(isSuccess({ status })).toBe(true);
});

test.each([100, 199, 300, 404, 500])('status %i is none of success', (status) => {
  expect(isSuccess({ status })).toBe(false);
});
