import { expect, test } from 'vitest';
import { masked, maskedWord } from './mask-keys.ts';

const KEY = 'mock-Zt7kQw2mVx9RbN4c';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  [`a ${KEY} b`, 'a (a key) b'],
  [`{"x":"${Buffer.from(KEY).toString('hex')}"}`, '{"x":"(a key)"}'],
  [encodeURIComponent(`${KEY}/`).replace('-', '%2d'), '(a key)'],
  [`{"x":"\\u006d${KEY.slice(1)}"}`, '(a key)'],
  ['nothing of it', 'nothing of it'],
])('masks %j as %j', (text, shown) => {
  expect(masked(['other', KEY], text)).toBe(shown);
});

test.each(['', 'x', 'xy', 'xyz'])('masks a key in base64 after %j', (before) => {
  const shown = masked([KEY], base64(`${before}${KEY} and more`));
  expect(shown).toContain('(a key)');
  expect(Buffer.from(shown.replace('(a key)', ''), 'base64').toString()).not.toContain(KEY.slice(4, 12));
});

test('cuts a word to 256 code units, and never in the middle of a character', () => {
  expect(maskedWord([KEY], '😀'.repeat(200))).toBe('😀'.repeat(128));
  expect(maskedWord([KEY], `a${'😀'.repeat(200)}`).at(-1)).toBe('\u{fffd}');
});
