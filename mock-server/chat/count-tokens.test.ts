import { expect, test } from 'vitest';

import { countInputTokens, countTextTokens } from './count-tokens.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['ж', 1],
  ['жжж', 2],
  ['🌿', 1],
  ['\ud800', 1],
])('counts %j as %i tokens', (text, tokens) => {
  expect(countTextTokens(text)).toBe(tokens);
});

test('adds four tokens a message and 256 an image', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/' } } as const;
  expect(countInputTokens([])).toBe(0);
  expect(
    countInputTokens([
      { role: 'system', content: 'abcd' },
      { role: 'user', content: '' },
    ]),
  ).toBe(9);
  expect(countInputTokens([{ role: 'user', content: [image, { type: 'text', text: 'abcd' }, image] }])).toBe(
    517,
  );
});
