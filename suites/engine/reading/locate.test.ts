import { expect, test } from 'vitest';
import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import {
  find,
  findPinned,
  isCount,
  isText,
  locate,
  named,
  type Point,
  unknownMembers,
  words,
} from './locate.ts';

const POINT: Point<string> = {
  pins: ['stream.text', 'response.usage'],
  in: ['/choices/0', ''],
  names: words('sure loose holder/inner'),
  anywhere: ['sure'],
  others: new Set(words('choices known')),
  accepts: isText,
};

test.each<[string, JsonValue, string]>([
  ['a member, however its name is written', { 'Su-Re': 'x' }, '/Su-Re'],
  ['the likeliest name in any of the objects', { sure: 'x', choices: [{ loose: 'y' }] }, '/sure'],
  ['the first object given one name in two', { loose: 'x', choices: [{ loose: 'y' }] }, '/choices/0/loose'],
  ['the next name given a value that is not accepted', { sure: 7, loose: 'x' }, '/loose'],
  ['a member of a member', { holder: { inner: 'x' } }, '/holder/inner'],
  ['a name that means the same anywhere, in lists too', { a: [{ b: [{ sure: 'x' }] }] }, '/a/0/b/0/sure'],
  ['a name in an object before one that lies deeper', { a: { sure: 'x' }, loose: 'y' }, '/loose'],
])('finds %s', (_, body, pointer) => {
  expect(locate(body, POINT)).toMatchObject({ pointer });
});

test.each<[string, JsonValue, 'absent' | 'unrecognised']>([
  ['nothing', {}, 'absent'],
  ['what is no object', 'sure', 'absent'],
  ['members that are something else', { known: 'x', other: 7 }, 'absent'],
  ['another choice', { choices: [{}, { sure: 'x' }] }, 'absent'],
  ['a list of texts', { other: ['x'] }, 'absent'],
  ['an accepted value under another name', { other: 'x' }, 'unrecognised'],
  ['one deeper', { a: { b: { other: 'x' } } }, 'unrecognised'],
  ['a loose name deeper', { a: { loose: 'x' } }, 'unrecognised'],
  ['what is inside a member that is something else', { known: { other: 'x' } }, 'absent'],
])('tells of %s whether it may be there', (_, body, expected) => {
  expect(locate(body, POINT)).toBe(expected);
});

test('looks six levels deep', () => {
  expect(find({ a: { b: { c: { d: { e: { sure: 'x' } } } } } }, POINT)).toBeDefined();
  expect(find({ a: { b: { c: { d: { e: { f: { sure: 'x' } } } } } } }, POINT)).toBeUndefined();
});

test('returns every member with one of the names, and every other one that may be it, but for those that are taken', () => {
  const body = { loose: 'a', sure: 'b', inner: { sure: 'c' }, other: 'd' };
  const pointers = [...named(body, POINT)].map(({ pointer }) => pointer);
  expect(pointers).toEqual(['/sure', '/loose', '/inner/sure']);
  expect(unknownMembers(body, { ...POINT, except: ['/sure', '/loose'] })).toEqual(['/other', '/inner/sure']);
  expect(find(body, { ...POINT, except: ['/sure'] })).toEqual({ pointer: '/loose', value: 'a' });
});

test.each([
  ['a pointer', { 'stream.text': '/x/y' }, '/x/y'],
  ['the name of a member', { 'stream.text': 'a/b' }, '/a~1b'],
  ['the second pin where the first is wrong', { 'stream.text': '/no', 'response.usage': '/x/y' }, '/x/y'],
  ['its name where the pinned value is not accepted', { 'stream.text': '/x' }, '/sure'],
  ['its name given a pin of another type', { 'stream.text': ['x'] }, '/sure'],
])('finds by a profile %s', (_, pins, pointer) => {
  const body = { x: { y: 'p' }, 'a/b': 'q', sure: 'r' };
  expect(find(body, POINT, { pins })).toMatchObject({ pointer });
});

test('finds the whole body where that is pinned', () => {
  expect(findPinned('x', POINT, { pins: { 'stream.text': '' } })).toEqual({ pointer: '', value: 'x' });
});

test.each([
  [0, true],
  [7, true],
  [-1, false],
  [1.5, false],
  ['7', false],
  [2 ** 53, false],
  [undefined, false],
])('says whether %j can count something: %s', (value, expected) => {
  expect(isCount(value)).toBe(expected);
});
