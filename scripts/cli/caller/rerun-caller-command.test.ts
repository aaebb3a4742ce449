import { expect, test } from 'vitest';
import { maskedWords } from './rerun-caller-command.ts';

test.each([
  [
    ['--api-key', 'abc'],
    ['--api-key', '…'],
  ],
  [['--api-key=abc'], ['--api-key=…']],
  [
    ['env', 'MY_TOKEN=abc', 'x'],
    ['env', 'MY_TOKEN=…', 'x'],
  ],
  [
    ['-H', 'Authorization: Bearer abc', 'x'],
    ['-H', 'Authorization: Bearer …', 'x'],
  ],
  [
    ['client.mjs', 'sk-live-0123456789'],
    ['client.mjs', '…'],
  ],
  [["go('sk-live-0123456789')"], ["go('…')"]],
  [
    ['--key', '--verbose'],
    ['--key', '--verbose'],
  ],
  [
    ['client.mjs', '--max-tokens', '16', 'const key = 1;'],
    ['client.mjs', '--max-tokens', '16', 'const key = 1;'],
  ],
])('shows %j as %j', (words, shown) => {
  expect(maskedWords(words)).toEqual(shown);
});
