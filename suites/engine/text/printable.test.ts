import { expect, test } from 'vitest';
import { printable, safeLines, truncate } from './printable.ts';

test.each([
  ['Grüße, 你好, שלום 🙂', 'Grüße, 你好, שלום 🙂'],
  ['\u001b[2Ja\u009b31m\u0007\r\n\t', String.raw`\u001b[2Ja\u009b31m\u0007\r\n\t`],
  ['a\u202eb\u200bc\u2028\u{e0001}', String.raw`a\u202eb\u200bc\u2028\udb40\udc01`],
  ['a\ud800b', String.raw`a\ud800b`],
  ['a'.repeat(602), `${'a'.repeat(600)}… (2 more characters)`],
])('returns what can be seen, and how much is missing, given %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
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

test.each([
  ['\u001b[31mred\u001b[39m\n\u001b[1mbold\u001b[22m', '\u001b[31mred\u001b[39m\n\u001b[1mbold\u001b[22m'],
  ['\u001b]52;c;eA==\u0007', String.raw`\u001b]52;c;eA==\u0007`],
  ['\u001b[2J\u001b[8m\u009b31m\r\u202e', String.raw`\u001b[2J\u001b[8m\u009b31m\r\u202e`],
  ['::error::a\n \t::set-output name=a::b', '::error::a\n \\t::set-output name=a::b'],
])('lets lines keep nothing but their ends and our styles given %j', (text, lines) => {
  expect(safeLines(text, {})).toBe(lines);
});

test.each([
  [
    '::error::a\n  ::stop-commands::b',
    String.raw`\u003a:error::a` + '\n' + String.raw`  \u003a:stop-commands::b`,
  ],
  ['\u3000::a\n[::1]:8080 a::b', '\u3000\\u003a:a\n[::1]:8080 a::b'],
  ['a ##[add-mask]b ###[c]', String.raw`a \u0023#[add-mask]b #\u0023#[c]`],
])('leaves no workflow command in the lines of a job given %j', (text, lines) => {
  expect(safeLines(text, { GITHUB_ACTIONS: 'true' })).toBe(lines);
});
