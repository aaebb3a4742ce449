import { expect, test } from 'vitest';
import { type Credential, type Exchange, PRIMARY } from '../model/exchange.ts';
import { difference, printable, truncate } from './show-exchange.ts';

function sent(body: unknown, credential: Credential = PRIMARY, path = '/chat/completions'): Exchange {
  const request = { method: 'POST', path, headers: {}, credential, body: Buffer.from(JSON.stringify(body)) };
  return { id: 'x', request, outcome: { kind: 'not-sent', reason: 'a test' } };
}

test('names the one place in which two bodies differ', () => {
  const counterpart = sent({ model: 'm', messages: [{ role: 'user' }, { role: 'user' }] });
  expect(difference(sent({ model: 'm', messages: [{ role: 'user' }, { role: 'bot' }] }), counterpart)).toBe(
    '/messages/1/role',
  );
  expect(
    difference(sent({ model: 'm', messages: [{ role: 'user' }, { role: 'user' }], 'a/b': 1 }), counterpart),
  ).toBe('/a~1b');
  expect(difference(sent({ messages: [{ role: 'user' }, { role: 'user' }] }), counterpart)).toBe('/model');
});

test('names the place that holds all differences when there are several', () => {
  expect(difference(sent({ a: { b: 1, c: 2 } }), sent({ a: { b: 2, c: 3 } }))).toBe('/a');
});

test('names the credential or the path when that is what differs', () => {
  expect(difference(sent({}, { kind: 'none' }), sent({}))).toBe(
    'the credential: no Authorization header in place of the primary key',
  );
  expect(difference(sent({}, PRIMARY, '/responses'), sent({}))).toBe(
    'the path: /responses in place of /chat/completions',
  );
});

test('returns text of any script as it is', () => {
  expect(printable('Grüße, 你好, שלום 🙂')).toBe('Grüße, 你好, שלום 🙂');
});

test('returns escapes given terminal control sequences', () => {
  expect(printable('\u001b[2Ja\u009b31m\u0007\r\n\t')).toBe(String.raw`\u001b[2Ja\u009b31m\u0007\r\n\t`);
});

test('returns escapes given what turns the writing direction or shows nothing', () => {
  expect(printable('a\u202eb\u200bc\u2028\u{e0001}')).toBe(String.raw`a\u202eb\u200bc\u2028\udb40\udc01`);
});

test('returns an escape given a lone surrogate', () => {
  expect(printable('a\ud800b')).toBe(String.raw`a\ud800b`);
});

test('returns the beginning and how much is missing given a long text', () => {
  expect(printable('abcdef', 4)).toBe('abcd… (2 more characters)');
});

test('returns JSON that means the same given JSON', () => {
  const value = { text: 'a\u200d\u{e0001}\u001b\u202e' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

test('returns a short text as it is, and splits no character of a long one', () => {
  expect([truncate('abc', 3), truncate('ab\u{1f600}c', 3), truncate('ab\u{1f600}c', 4)]).toEqual([
    'abc',
    'ab',
    'ab\u{1f600}',
  ]);
});
