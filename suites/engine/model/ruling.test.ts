import { expect, test } from 'vitest';
import { asError, asRuling, HOLDS, inconclusive, notExercised, observed, violated } from './ruling.ts';

test.each([
  HOLDS,
  violated('late', 'at once', 'a second later', '/created'),
  observed({ point: 'a', value: { deep: [1] } }),
  notExercised('no request was sent', 'send one'),
  inconclusive('it was refused for another reason'),
])('takes a ruling over: %j', (ruling) => {
  expect(asRuling(ruling)).toEqual(ruling);
});

const rejected = (): Promise<never> => Promise.reject(new Error('later'));
const never = new Proxy({}, { get: () => Reflect.get(null as never, 'kind') });

test.each<readonly [string, () => unknown]>([
  ['nothing', () => undefined],
  ['null', () => null],
  ['a name of a prototype', () => ({ kind: '__proto__' })],
  ['a promise', async () => HOLDS],
  ['a promise that is rejected', rejected],
  ['a violation without a finding', () => ({ kind: 'violated' })],
  ['a finding of other values', () => ({ kind: 'violated', finding: { code: Symbol('a'), expected: {} } })],
  ['a value that is no JSON', () => ({ kind: 'observed', observations: [{ point: 'a', value: 1n }] })],
  ['an object that throws', () => never],
])('refuses %s in place of a ruling', (_name, returned) => {
  expect(() => asRuling(returned())).toThrow(TypeError);
});

test.each([
  undefined,
  null,
  Symbol('a'),
  Object.create(null),
  never,
  Object.assign(new Error('a'), { message: 5 }),
])('makes an error with a message of whatever was thrown', (thrown) => {
  const { name, message } = asError(thrown);
  expect([typeof name, typeof message]).toEqual(['string', 'string']);
});
