import { expect, test } from 'vitest';

import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import { selectModel } from './select-model.ts';

const [primary] = createCallers(builtInWorld);
if (primary === undefined) throw new Error('The built-in world has no key');

const text = [{ role: 'user', content: '' }] as const;
const picture = [
  { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/' } }] },
] as const;

test('returns a model of the key', () => {
  expect(selectModel(primary, { model: 'compact-1', messages: text }).contextTokens).toBe(1024);
  expect(selectModel(primary, { model: 'vista-1', messages: picture }).vision).toBe(true);
});

test.each(['reserve-1', 'no-such-model', '', 'Compact-1', 'compact-1 ', '__proto__', 'constructor'])(
  'refuses %j as unknown, whether another key has it or none',
  (model) => {
    expect(() => selectModel(primary, { model, messages: text })).toThrow(
      expect.objectContaining({ kind: 'unknown_model', particulars: { path: ['model'] } }),
    );
  },
);

test('refuses a model that is known but unavailable', () => {
  expect(() => selectModel(primary, { model: 'dormant-1', messages: text })).toThrow(
    expect.objectContaining({ kind: 'model_unavailable' }),
  );
});

test('refuses an image for a model without vision, and names the image', () => {
  expect(() => selectModel(primary, { model: 'compact-1', messages: picture })).toThrow(
    expect.objectContaining({
      kind: 'image_not_allowed',
      particulars: { path: ['messages', 0, 'content', 0] },
    }),
  );
});
