import { expect, test } from 'vitest';
import { settingFor } from './client-settings.ts';
import { body, chat, GATEWAY, timeline } from './test-support/timeline.ts';

/** Given a lost request that was sent twice; under the same key, unless `secondKey` is another. */
function settingOf(
  check: string,
  agent: string,
  secondKey: string | undefined = 'key-0',
): string | undefined {
  const one = { headers: { 'user-agent': agent }, body: body('Name a hill.') };
  const seen = timeline([
    chat(0, { ...one, outcome: GATEWAY }),
    chat(300, { ...one, idempotencyKey: secondKey }),
  ]);
  const code = check === 'no-automatic-retry' ? 'retried' : 'other';
  return settingFor(check, [{ timeline: seen, finding: { code, expected: '', actual: '', exchange: 1 } }]);
}

test.each([
  ['no-automatic-retry', 'OpenAI/JS 7.23.0', 'openai: `maxRetries: 0`'],
  ['no-automatic-retry', 'ai/7.0.0 ai-sdk/openai-compatible/3.0.0 runtime/node.js/24', 'AI SDK: '],
  ['fresh-key-per-request', 'OpenAI/JS 7.0.0 langchainjs-openai/1.0.0', 'LangChain: '],
  ['waits-120-seconds', 'python-httpx/0.28.1', '`timeout=120`'],
])('names the settings of the client for %s given %s', (check, agent, setting) => {
  expect(settingOf(check, agent)).toContain(setting);
  expect(settingOf(check, agent)).toContain('https://');
});

test('names nothing given an unknown client, another check, or what an application sends anew', () => {
  expect(settingOf('no-automatic-retry', 'node')).toBeUndefined();
  expect(settingOf('five-fields-only', 'OpenAI/JS 7.23.0')).toBeUndefined();
  expect(settingOf('no-automatic-retry', 'OpenAI/JS 7.23.0', 'key-1')).toBeUndefined();
});
