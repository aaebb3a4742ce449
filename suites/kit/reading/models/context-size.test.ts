import { expect, test } from 'vitest';
import { contextTokensOf } from './context-size.ts';

test.each([
  [{ context_length: 8 }, 8],
  [{ contextWindow: 8 }, 8],
  [{ max_model_len: 8 }, 8],
  [{ limits: { max_context_tokens: 8 } }, 8],
  [{ context: { window: 8 } }, 8],
  [{ limits: { window: 8 } }, undefined],
  [{ context_length: '8', n_ctx: 16 }, 16],
  [{ token_limit: 8 }, 8],
  [{ limits: { total_tokens: 8 } }, 8],
  [{ limits: { requests: 60 }, details: { context_length: 8 } }, 8],
  [{ total_tokens: 8 }, undefined],
  [{ limits: { token_limit: 8, tokens_per_minute: 8 } }, undefined],
  [{ limits: { token_limit: 8, TPM: 8, context: 16 } }, 16],
  [{ limits: { total_tokens: 8, requests: 60, window: '1m' } }, undefined],
  [{ token_limit: 8, period: 'day' }, undefined],
  [{ limits: { total_tokens: 8, interval: 60 } }, undefined],
  [{ limits: { token_limit: 8, quota: true } }, undefined],
  [{ limits: { total_tokens: 8, requests: 60 } }, undefined],
  [{ limits: { context: 8, window: '1m' } }, 8],
  [{ limits: { total_tokens: 8, sliding_window: 4 } }, 8],
  [{ limits: { total_tokens: 8, requests_logged: true } }, 8],
  [{ context: { max: 8, unit: 'kilotokens' } }, undefined],
  [{ context: { max: 8, unit: 'tokens_k' } }, undefined],
  [{ context: { max: 8, unit: 'Tokens' } }, 8],
  [{ context: { max: 8, units: 'kilotokens' } }, undefined],
  [{ context: { max: 8, units: 'token' } }, 8],
  [{ context: { max: 8, unit: 7 } }, 8],
  [{ context_length: 8, price: 1, unit: 'EUR' }, 8],
  [{ context_length: 0 }, undefined],
  [{ context_length: 7.5 }, undefined],
  [{ max_output_tokens: 8, max_input_tokens: 8 }, undefined],
  [{}, undefined],
])('reads %j as %s tokens', (record, tokens) => {
  expect(contextTokensOf(record)).toBe(tokens);
});
