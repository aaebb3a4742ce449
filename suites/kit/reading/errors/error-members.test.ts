import { expect, test } from 'vitest';
import { isMessage, isCodeOrId, membersOf, membersWithin } from './error-members.ts';

test('returns the members of objects and of lists of objects, the nearest first, three levels deep', () => {
  const members = membersOf({ a: { b: [{ c: { d: { e: 1 } } }, 2], f: 3 }, g: 4 }, '/error');
  expect(members.map(({ pointer }) => pointer)).toEqual(['/error/a', '/error/g']);
  expect(membersWithin(members)).toEqual([
    expect.objectContaining({ pointer: '/error/a/b', plain: 'b' }),
    { pointer: '/error/a/f', plain: 'f', value: 3 },
    expect.objectContaining({ pointer: '/error/a/b/0/c', plain: 'c' }),
    expect.objectContaining({ pointer: '/error/a/b/0/c/d', plain: 'd' }),
  ]);
  expect(membersWithin([])).toEqual([]);
});

test.each([
  ['m', true],
  ['', false],
  [' ', false],
  [['m', 'n'], true],
  [[], false],
  [['m', ''], false],
  [['', 'm'], false],
  [{ en: 'm' }, false],
  [7, false],
  [null, false],
])('says whether %j can be a message: %s', (value, expected) => {
  expect(isMessage(value)).toBe(expected);
});

test.each([
  ['c', true],
  [0, true],
  ['', false],
  [' ', false],
  [['c'], false],
  [null, false],
])('says whether %j can be a code or an ID: %s', (value, expected) => {
  expect(isCodeOrId(value)).toBe(expected);
});
