import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { countInputTokens, countTextTokens, allowTokens } from './accept-chat.ts';

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

const bounds = builtInWorld.choices.request;
const model = { id: 'm', contextTokens: 100, price: { input: 1, output: 1 } };
const chat = { model: 'm', messages: [] };

test.each([
  [{}, 40, 60, 60],
  [{ contextTokens: 1000 }, 40, undefined, 256],
  [{}, 40, undefined, 60],
  [{}, 99, undefined, 1],
  [{}, 40, 61, 'max_tokens'],
  [{}, 40, 1e21, 'max_tokens'],
  [{}, 100, 1, 'messages'],
  [{}, 100, undefined, 'messages'],
  [{}, 5000, undefined, 'messages'],
])('allows, with %j and an input of %i tokens, max_tokens %s: %s', (change, input, requested, expected) => {
  const request = requested === undefined ? chat : { ...chat, max_tokens: requested };
  const allow = (): number => allowTokens({ ...model, ...change }, input, request, bounds);
  expect(outcome(allow)).toBe(expected);
});

/** What is allowed, or the field to blame. */
function outcome(allow: () => number): unknown {
  try {
    return allow();
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === 'token_limit')) throw error;
    return error.particulars.path?.join('/');
  }
}
