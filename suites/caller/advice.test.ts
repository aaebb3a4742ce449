import { expect, test } from 'vitest';
import { CALLER_CHECKS } from '../caller-catalogue.ts';
import { rowsUnderHeads } from '../engine/summary/remedy-table.ts';
import { ADVICE_TABLE, adviceOn, CLIENTS } from './advice.ts';
import { body, chat, timeline } from './test-support/timeline.ts';
import type { ObservedRequest } from './timeline.ts';

const OPENAI = 'OpenAI/JS 7.23.0';
const LANGCHAIN = 'langchainjs-openai/1.0.0 ((node/v24.0.0; linux; x64))';

interface Sent extends Partial<ObservedRequest> {
  readonly agent?: string;
  readonly code?: string;
}

/** The advice on a check, given a lost request and one for the same work that shows a violation. */
function advised(check: string, { agent = '', code = 'a-code', ...sent }: Sent, lost = {}): string {
  const first = chat(0, { body: body('a'), outcome: 'gateway', ...lost });
  const headers = { 'user-agent': agent, ...sent.headers };
  const seen = timeline([first, chat(20, { body: body('a'), ...sent, headers })]);
  const [, request] = seen.requests;
  if (request === undefined) throw new Error('no second request');
  return adviceOn(check, [{ timeline: seen, request, finding: { code, expected: '', actual: '' } }]);
}

const retries = (count: string): object => ({ headers: { 'x-stainless-retry-count': count } });
const SAME = { idempotencyKey: 'key-0' };
const STREAM = { body: body('a', { stream: true, stream_options: {} }) };
const KEYLESS = { code: 'no-key', idempotencyKey: undefined };
const BROKEN = { outcome: 'cut' };

test.each<readonly [string, string, Sent, object, RegExp]>([
  ['a client that retried', 'no-automatic-retry', { agent: OPENAI, ...retries('1') }, {}, /: maxRetries: 0 /],
  [
    'a worker that restarted',
    'not-sent-again-unchecked',
    { agent: OPENAI, ...SAME, ...retries('0') },
    {},
    /^specification, Errors, row Timeout or gateway error; Limits, 5: look the request up(?!.*maxRetries).*worker that restarts/,
  ],
  [
    'Go',
    'no-automatic-retry',
    { agent: 'Go-http-client/1.1', ...SAME },
    BROKEN,
    /GetBody = nil.*pkg\.go\.dev/,
  ],
  ['Go after a page', 'no-automatic-retry', { agent: 'Go-http-client/1.1', ...SAME }, {}, /^(?!.*GetBody)/],
  ['AI SDK 7', 'no-automatic-retry', { agent: 'ai/7.0.1', ...SAME }, {}, /maxRetries: 0 in each call/],
  ['its provider', 'five-fields-only', { agent: 'ai-sdk-openai/4.0.1', ...STREAM }, {}, /openai-compatible/],
  ['LangChain', 'no-automatic-retry', { agent: LANGCHAIN, ...SAME, ...retries('0') }, {}, /for the model/],
  [
    'its streams',
    'fresh-key-per-request',
    { agent: LANGCHAIN, ...KEYLESS, ...STREAM },
    {},
    /drops the headers/,
  ],
  ['their usage', 'five-fields-only', { agent: LANGCHAIN, ...STREAM }, {}, /streamUsage: false/],
  ['stream_options of another', 'five-fields-only', STREAM, {}, /leave stream_options out/],
  ['another field', 'five-fields-only', {}, {}, /only these five/],
  [
    'requests',
    'no-automatic-retry',
    { agent: 'python-requests/2.34.2', ...SAME },
    {},
    /HTTPAdapter.*urllib3/,
  ],
  ['tenacity', 'no-automatic-retry', { agent: 'python-requests/2.34.2' }, {}, /tenacity.*readthedocs/],
  ['p-retry', 'no-automatic-retry', { agent: 'node' }, {}, /p-retry.*github/],
  [
    'a pool',
    'concurrency-reduced',
    { agent: OPENAI, ...retries('1') },
    {},
    /^specification, Errors, row Rate limit error: make the pool smaller/,
  ],
  ['a caller that was only watched', 'listed-models-only', {}, {}, /^(?!.*CHAT_MODEL)/],
])('advises what helps %s', (_whom, check, sent, lost, expected) => {
  expect(advised(check, sent, lost)).toMatch(expected);
});

test('has advice on every check, whatever the client', () => {
  for (const { id } of CALLER_CHECKS)
    expect(advised(id, {})).toMatch(/^specification, [A-Z].*[A-Za-z\d]: [a-z]/);
});

test('lists advice for clients that are known', () => {
  const clients = rowsUnderHeads(ADVICE_TABLE).map(({ row: [, client] }) => client);
  expect(new Set(clients)).toEqual(new Set(Object.keys(CLIENTS)));
});
