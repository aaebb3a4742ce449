import { expect, test } from 'vitest';
import { extraHeaders } from './extra-headers.ts';

test('returns lower-case names and trimmed values given headers', () => {
  expect(extraHeaders(['X-Tenant: blue', 'x-trace:a:b'])).toEqual({ 'x-tenant': 'blue', 'x-trace': 'a:b' });
});

test.each([
  ['Authorization: Bearer abc', 'cannot set authorization'],
  ['Idempotency-Key: 1', 'cannot set idempotency-key'],
  ['content-length:1', 'cannot set content-length'],
  ['HOST:example', 'cannot set host'],
  ['Accept-Encoding: gzip', 'cannot set accept-encoding'],
  ['no colon', 'must read NAME:VALUE'],
  [': value', 'must read NAME:VALUE'],
  ['x-empty:', 'needs a value'],
  ['x-split: a\r\nb: c', 'needs a value'],
])('throws given %j', (text, message) => {
  expect(() => extraHeaders([text])).toThrow(message);
});

test('throws given a header twice', () => {
  expect(() => extraHeaders(['x-a:1', 'X-A:2'])).toThrow('x-a is given twice');
});
