import type { World } from './world-schema.ts';

/**
 * The default world. Its keys are public and open nothing but a mock. Where the specification is silent, it follows the
 * common convention, so that ordinary clients work unmodified.
 */
export const builtInWorld: World = {
  clock: '2026-01-01T00:00:00Z',
  models: [
    { id: 'compact-1', contextTokens: 1024, price: { input: 1, output: 2 } },
    { id: 'standard-1', contextTokens: 8192, price: { input: 3, output: 6 } },
    { id: 'vista-1', contextTokens: 32_768, price: { input: 10, output: 20 }, vision: true },
    // Slow enough to observe buffering and rate limits.
    { id: 'steady-1', contextTokens: 16_384, price: { input: 2, output: 4 }, latencyMs: 80 },
    { id: 'dormant-1', contextTokens: 8192, price: { input: 1, output: 2 }, available: false },
    { id: 'reserve-1', contextTokens: 4096, price: { input: 5, output: 10 } },
  ],
  workspaces: [
    { id: 'main', credits: 1_000_000_000_000 },
    { id: 'second', credits: 1_000_000_000 },
  ],
  keys: [
    {
      name: 'primary',
      key: 'mock-Zt7kQw2mVx9RbN4cHs8LpY6dJf3GaTe5UoXi1KqD',
      workspace: 'main',
      scopes: ['inference'],
      models: ['compact-1', 'standard-1', 'vista-1', 'steady-1', 'dormant-1'],
      concurrency: 12,
    },
    {
      name: 'second',
      key: 'mock-Bn5xWc8rKj2TgM7vPq4YhD9sLe6FzUa3RoVi0XtC',
      workspace: 'second',
      scopes: ['inference'],
      models: ['compact-1', 'reserve-1'],
      concurrency: 8,
    },
    { name: 'unscoped', key: 'mock-Hd3pSy6nXk9WbQ2fGm7TcR4jVz8LuEa5NoYi1BqM', workspace: 'main', scopes: [] },
  ],
  limits: {
    concurrency: 32,
    retryAfterSeconds: 1,
    bodyBytes: 1_048_576,
    jsonDepth: 32,
    history: 2000,
    headersMs: 10_000,
    requestMs: 30_000,
    keepAliveMs: 5000,
    silenceMs: 300_000,
    drainMs: 10_000,
  },
  choices: {
    request: { temperatureMinimum: 0, temperatureMaximum: 2, maxTokensMinimum: 1, maxTokensDefault: 256 },
    messages: { extraFields: 'refuse', emptyList: 'refuse', emptyContent: 'accept' },
    images: { schemes: ['data', 'https'] },
    response: {
      finishReasonField: 'finish_reason',
      finishReasonPlace: 'choice',
      usageField: 'usage',
      inputTokensField: 'prompt_tokens',
      outputTokensField: 'completion_tokens',
      totalTokensField: 'total_tokens',
      extraFields: {},
    },
    models: { shape: 'data', idField: 'id' },
    vision: { shape: 'list' },
    stream: { framing: 'chunks', eventName: null, terminator: '[DONE]', newline: 'lf', comment: null },
    idempotency: { missing: 'accept', repeated: 'replay', retentionSeconds: 86_400 },
    errors: { shape: 'nested', requestIdField: 'request_id', overrides: {} },
    versioning: { deprecation: null, sunset: null },
    faults: { header: 'allow' },
  },
};
