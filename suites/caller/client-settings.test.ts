import { expect, test } from 'vitest';
import { settingFor } from './client-settings.ts';
import type { TimelineRequest } from './observed/timeline.ts';
import { body, chat, RATE_LIMITED, timeline } from './test-support/timeline.ts';

/** Given a refused request that was sent twice; under the same key, unless `secondKey` is another. */
function settingOf(check: string, agent: string, secondKey = 'key-0'): string | undefined {
  const one = { headers: { 'user-agent': agent }, body: body('Name a hill.') };
  const seen = timeline([
    chat(0, { ...one, outcome: RATE_LIMITED }),
    chat(300, { ...one, idempotencyKey: secondKey }),
  ]);
  return settingFor(check, [
    { timeline: seen, finding: { code: 'retried', expected: '', actual: '', exchange: 0 } },
  ]);
}

test.each([
  ['no-automatic-retry', 'OpenAI/JS 7.23.0', 'openai: `maxRetries: 0`'],
  [
    'no-automatic-retry',
    'ai/7.0.0 ai-sdk/openai-compatible/3.0.0 runtime/node.js/24',
    'AI SDK: `maxRetries: 0`',
  ],
  ['not-sent-again-unchecked', 'axios/1.21.1', 'excludes POST'],
  ['concurrency-reduced', 'undici', 'no retry interceptor'],
  ['fresh-key-per-request', 'OpenAI/JS 7.0.0 langchainjs-openai/1.0.0', 'LangChain: '],
  ['waits-120-seconds', 'python-httpx/0.28.1', '`timeout=120`'],
])('names the setting for %s given %s', (check, agent, setting) => {
  expect(settingOf(check, agent)).toContain(setting);
  expect(settingOf(check, agent)).toContain('https://');
});

test('guesses nothing given a client, a check or a setting that it does not know', () => {
  expect(settingOf('no-automatic-retry', 'node')).toBeUndefined();
  expect(settingOf('five-fields-only', 'OpenAI/JS 7.23.0')).toBeUndefined();
  expect(settingOf('no-automatic-retry', 'Python-urllib/3.13')).toBeUndefined();
});

test('blames no setting of a client for what an application sends anew', () => {
  expect(settingOf('not-sent-again-unchecked', 'OpenAI/JS 7.23.0', 'key-1')).toBeUndefined();
  expect(settingOf('waits-120-seconds', 'OpenAI/JS 7.23.0', 'key-1')).toContain('timeout');
});

test('finds the retry of a pool whose requests have no key', () => {
  const headers = { 'user-agent': 'OpenAI/JS 7.23.0' };
  const work = (name: string): Partial<TimelineRequest> => ({
    headers,
    body: body(`Name a ${name}.`),
    idempotencyKey: undefined,
  });
  const first = [chat(0, { ...work('hill'), outcome: RATE_LIMITED }), chat(1, work('lake'))];
  const finding = { code: 'retried', expected: '', actual: '', exchange: 0 };
  const setting = (...later: readonly TimelineRequest[]): string | undefined =>
    settingFor('concurrency-reduced', [{ timeline: timeline([...first, ...later]), finding }]);
  expect(setting(chat(300, work('hill')))).toContain('openai: `maxRetries: 0`');
  expect(setting(chat(300, work('lake')))).toBeUndefined();
});
