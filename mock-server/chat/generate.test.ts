import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTextTokens } from './accept-chat.ts';
import { generate, createDraw } from './generate.ts';

const word = fc.integer({ min: 0, max: 0xffff_ffff });

test('returns the same text given the same word', () => {
  expect(generate(7, 100)).toEqual(generate(7, 100));
  expect(generate(8, 100)).not.toEqual(generate(7, 100));
});

test('returns whole characters, counted by the one rule, never more than allowed', () => {
  fc.assert(
    fc.property(word, fc.integer({ min: 1, max: 80 }), (drawn, allowed) => {
      const { text, tokens, finishReason } = generate(drawn, allowed);
      expect(text.isWellFormed()).toBe(true);
      expect(tokens).toBe(countTextTokens(text));
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(allowed);
      expect(finishReason).toBe(generate(drawn, 1000).tokens > allowed ? 'length' : 'stop');
    }),
    { numRuns: 500 },
  );
});

test('ends a text after about 8 to 60 tokens without a limit', () => {
  fc.assert(
    fc.property(word, (drawn) => {
      const { tokens, finishReason } = generate(drawn, 1000);
      expect(finishReason).toBe('stop');
      expect(tokens).toBeGreaterThanOrEqual(8);
      expect(tokens).toBeLessThanOrEqual(70);
    }),
    { numRuns: 500 },
  );
});

test('draws the same numbers from the same word, each below its bound', () => {
  const [one, other] = [createDraw(7), createDraw(7)];
  const numbers = Array.from({ length: 1000 }, () => one(10));
  expect(Array.from({ length: 1000 }, () => other(10))).toEqual(numbers);
  expect(new Set(numbers)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
});

test('draws from the word zero as from any other', () => {
  const draw = createDraw(0);
  expect(new Set(Array.from({ length: 100 }, () => draw(1000))).size).toBeGreaterThan(50);
});
