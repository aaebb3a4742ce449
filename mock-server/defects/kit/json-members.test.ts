import { expect, test } from 'vitest';
import { mapMember, mapMessages, dropMembers, type Members, without } from './json-members.ts';

const CHAT: Members = JSON.parse('{"model":"m","messages":[{"role":"user"},7],"__proto__":{"a":1}}');

test('returns the very same object given nothing to drop or change', () => {
  expect(without(CHAT, 'top_p')).toBe(CHAT);
  expect(mapMember(CHAT, 'top_p', () => 1)).toBe(CHAT);
  expect(mapMember(CHAT, 'model', (model) => model)).toBe(CHAT);
  expect(mapMessages(CHAT, (message) => message)).toBe(CHAT);
  expect(mapMessages({ messages: 'Hi.' }, () => 7)).toEqual({ messages: 'Hi.' });
});

test('drops a member, and keeps one called __proto__ like any other', () => {
  expect(JSON.stringify(without(CHAT, 'messages'))).toBe('{"model":"m","__proto__":{"a":1}}');
  expect(JSON.stringify(dropMembers(CHAT, (name) => name === '__proto__'))).not.toContain('__proto__');
});

test('changes a member in its place, and does not see an inherited one', () => {
  expect(Object.keys(mapMember(CHAT, 'model', () => 'n'))).toEqual(['model', 'messages', '__proto__']);
  expect(mapMember({}, 'toString', () => 1)).toEqual({});
});

test('changes messages one by one', () => {
  const changed = mapMessages(CHAT, (message, index, all) => (index === 1 ? all.length : message));
  expect(changed['messages']).toEqual([{ role: 'user' }, 2]);
});
