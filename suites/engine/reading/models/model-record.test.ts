import { expect, test } from 'vitest';
import { contextTokensOf, outputTokensOf, priceOf, visionOf } from './model-record.ts';

test.each([
  [{ context_length: 8 }, 8],
  [{ contextWindow: 8 }, 8],
  [{ max_model_len: 8 }, 8],
  [{ limits: { max_context_tokens: 8 } }, 8],
  [{ limits: { context: 8, window: '1m' } }, 8],
  [{ limits: { requests: 60 }, details: { context_length: 8 } }, 8],
  [{ context_length: '8', n_ctx: 16 }, 16],
  [{ context_length: 8, price: 1, unit: 'EUR' }, 8],
  [{ token_limit: 8 }, 8],
  [{ context: { max_tokens: 8, output: 2 } }, 8],
  [{ limits: { context_window: { tokens: 8 } } }, 8],
  // They may be what was used, or a rate.
  [{ total_tokens: 8 }, undefined],
  [{ limits: { token_limit: 8, tokens_per_minute: 8 } }, undefined],
  [{ max_output_tokens: 8, max_input_tokens: 8 }, undefined],
  [{ context_length: 0 }, undefined],
  [{ context_length: 7.5 }, undefined],
  [{}, undefined],
])('reads %j as %s tokens', (record, tokens) => {
  expect(contextTokensOf(record)).toBe(tokens);
});

test.each([
  [{ context_window: 8, max_output_tokens: 2 }, 2],
  [{ limits: { context: 8, output: 2 } }, 2],
  [{ context_length: 8, token_limit: 4 }, undefined],
])('reads the output tokens of %j as %s', (record, tokens) => {
  expect(outputTokensOf(record)).toBe(tokens);
});

test.each([
  [{ price: 3 }, 3],
  [{ pricing: { input: 1, output: 2 } }, 3],
  [{ pricing: { prompt: '0.5', completion: '1.5', image: '9' } }, 2],
  [{ input_price: 1, output_price: 4 }, 5],
  [{ cost: { per_token: 2 } }, 2],
  [{ pricing: { input: { credits: 1 }, output: { credits: 2 } } }, 3],
  [{ pricing: { prompt: '0', completion: '0' } }, 0],
  [{ pricing: { currency: 'EUR' } }, undefined],
  [{ price: -1 }, undefined],
  [{ price: null }, undefined],
  [{ price: ' ' }, undefined],
  [{ price: 'free' }, undefined],
  [{ price: '1e999' }, undefined],
  [{ created: 5 }, undefined],
])('reads the price of %j as %s', (record, price) => {
  expect(priceOf(record)).toBe(price);
});

test.each([
  [{ vision: true }, true],
  [{ supportsVision: false }, false],
  [{ capabilities: { vision: true } }, true],
  [{ capabilities: ['chat', 'vision'] }, true],
  [{ capabilities: ['chat'] }, undefined],
  [{ image_input: { enabled: false } }, false],
  [{ architecture: { input_modalities: ['text', 'image'] } }, true],
  [{ architecture: { modality: 'text->text+image' } }, false],
  [{ modalities: ['text', 'image'] }, true],
  [{ vision: { enabled: true } }, true],
  [{ architecture: { modality: 'text+image->text' } }, true],
  [{ modality: 'text image' }, true],
  [{ modalities: ['image', 7] }, undefined],
  [{ modalities: 7 }, undefined],
  [{ modalities: { image: 'yes' } }, undefined],
  [{ id: 'a-vision', owned_by: 'x', enabled: true }, undefined],
  [{}, undefined],
])('reads %j as %s', (record, vision) => {
  expect(visionOf(record, 'models')).toBe(vision);
});

test('takes a bare flag for one of vision in the answer of the vision endpoint only', () => {
  expect(visionOf({ id: 'a', enabled: true }, 'vision')).toBe(true);
  expect(visionOf({ id: 'a', capabilities: ['chat'] }, 'vision')).toBe(false);
});
