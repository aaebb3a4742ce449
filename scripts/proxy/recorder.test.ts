import { expect, test } from 'vitest';
import type { Exchange, Outcome } from '../../suites/engine/model/exchange.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import { ReceivedBody } from '../../suites/engine/sending/received-body.ts';
import { infoForTest } from '../../suites/engine/test-support/target-info.ts';
import { KeyRing, passedExchangeOf, type RelayedExchange } from './passed-exchange.ts';
import { Recorder } from './recorder.ts';

const [BASE_URL, BASE_PATH] = ['http://127.0.0.1:1/v1', '/v1'];
const MEBIBYTE = 1024 * 1024;

function bodyOf(text: string): ReceivedBody {
  const body = new ReceivedBody(MEBIBYTE);
  body.add(Buffer.from(text), 0);
  return body;
}

/** A chat that passed, and its answer. */
function chat(n: number, { key = `k-${n}`, status = 200, ...other }: object & Partial<Given> = {}) {
  const request = { model: 'm', messages: [{ role: 'user', content: `Wish ${n}` }] };
  const choice = { index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' };
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const answerBody = bodyOf(JSON.stringify({ id: `c-${n}`, choices: [choice], usage }));
  const headers = { 'content-type': 'application/json' };
  const answer = { status, headers, ...answerBody.read(), headersAt: 1, endedAt: 2 };
  const relayed: RelayedExchange = {
    n,
    at: new Date(0).toISOString(),
    arrivedAt: performance.now(),
    method: 'POST',
    url: '/v1/chat/completions',
    headers: new Headers({
      authorization: other.auth ?? 'Bearer the-key-0001',
      'idempotency-key': key,
      'content-type': 'application/json',
    }),
    body: bodyOf(JSON.stringify(request)),
    outcome: { kind: 'answered', answer },
    endedAt: performance.now(),
  };
  return { ...relayed, ...other };
}

interface Given {
  readonly key: string;
  readonly auth: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly body: ReceivedBody;
}

const known = () => ({ basePath: BASE_PATH, keys: new KeyRing(), info: infoForTest() });

async function judged(passed: readonly RelayedExchange[]): Promise<Summary> {
  const recorder = new Recorder({ baseUrl: BASE_URL });
  for (const relayed of passed) recorder.note(relayed);
  return recorder.summary();
}

function failing({ checks }: Summary): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

test('takes whatever secret a request carries out of the answer that repeats it', async () => {
  const passed = chat(1);
  const secrets = {
    'X-Goog-Api-Key': 'sk-goog-0001',
    Cookie: 'a=sk-cookie-0001',
    'X-Auth-Token': 'sk-auth-0001',
  };
  const repeated = bodyOf(`${JSON.stringify(secrets)} sk-parameter-0001 sk-cookie-0001`);
  const answer = { ...answerOf(passed), ...repeated.read(), headers: { 'set-cookie': 'sk-mine' } };
  const relayed: RelayedExchange = {
    ...passed,
    url: `${passed.url}?api_key=sk-parameter-0001`,
    headers: new Headers({ ...Object.fromEntries(passed.headers), ...secrets }),
    outcome: { kind: 'answered', answer },
  };
  const { exchange } = await passedExchangeOf(relayed, known());
  expect(JSON.stringify(exchange.request)).not.toContain('sk-');
  expect(JSON.stringify(answerOf(exchange).headers)).not.toContain('sk-');
  expect(Buffer.from(answerOf(exchange).body).toString()).not.toContain('sk-');
});

function answerOf({ outcome }: Pick<Exchange, 'outcome'>) {
  if (outcome.kind !== 'answered') throw new Error('it was not answered');
  return outcome.answer;
}

test('keeps no part of an answer whose pieces join to a key', async () => {
  const events = ['the-k', 'ey-0001'].map(
    (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
  );
  const passed = chat(1);
  const streamed = { ...answerOf(passed), ...bodyOf(events.join('')).read() };
  const answer = { ...streamed, headers: { 'content-type': 'text/event-stream' } };
  const { exchange } = await passedExchangeOf({ ...passed, outcome: { kind: 'answered', answer } }, known());
  expect(answerOf(exchange)).toMatchObject({ body: new Uint8Array(), whole: { bytes: answer.body.length } });
});

test('keeps what was found in exchanges that it no longer holds, and says how many they are', async () => {
  const more = Array.from({ length: 1100 }, (_, n) => chat(n, n < 2 ? { key: 'same' } : { status: 429 }));
  const summary = await judged(more);
  expect(failing(summary)).toContain('fresh-key-per-request');
  expect(summary.spent).toMatchObject({ requests: 1100, completions: 1100 });
  expect(summary.warnings).toEqual([expect.stringMatching(/^the first \d+ requests are no longer kept/)]);
  expect(summary.cutShort).toEqual([]);
});

test.each([
  ['no chat was accepted', [chat(1, { status: 429 })], 'the service accepted no chat that passed through: '],
  ['nothing passed', [], 'no request passed'],
])('is incomplete where %s', async (_, passed, why) => {
  const cutShort = [expect.stringContaining(why)];
  expect(await judged(passed)).toMatchObject({ outcome: 'incomplete', cutShort });
});

test('lets new requests wait while too much waits to be recorded, and records everything', async () => {
  const recorder = new Recorder({ baseUrl: BASE_URL });
  const elsewhere = { url: '/v1/files', body: bodyOf('long'.repeat(MEBIBYTE / 4)) };
  for (let n = 1; n <= 33; n += 1) recorder.note({ ...chat(n), ...elsewhere });
  let isReady = false;
  const ready = recorder.ready().then(() => (isReady = true));
  await Promise.resolve();
  expect(isReady).toBe(false);
  await ready;
  expect((await recorder.summary()).spent.requests).toBe(33);
});

test('judges callers with different keys apart', async () => {
  const refused = { status: 429 };
  const summary = await judged([chat(1, refused), chat(2, { ...refused, auth: 'Bearer the-key-0002' })]);
  expect(failing(summary)).toEqual([]);
});

test.each([
  ['/v1/models', '/v1', '/models'],
  ['/v1?x', '/v1', '?x'],
  ['/v10/models', '/v1', '/../v10/models'],
  ['/models', '/api/v1', '/../../models'],
])('names %s below %s by the way to it: %s', async (url, basePath, path) => {
  const { exchange } = await passedExchangeOf({ ...chat(1), url }, { ...known(), basePath });
  expect(exchange.request.path).toBe(path);
});

const KEY = 'sk-0123456789abcdef';

test('learns the key of a request, and takes it out of texts, addresses and headers', async () => {
  const headers = new Headers({
    authorization: `Bearer ${KEY}`,
    cookie: 'a=b',
    'x-app': KEY,
    'idempotency-key': 'k-1',
  });
  const relayed = {
    ...chat(1),
    url: `/v1/models?api_key=other&x=${KEY}`,
    headers,
    body: bodyOf(`say ${KEY}`),
  };
  const { exchange, facts } = await passedExchangeOf(relayed, known());
  expect(exchange.request).toMatchObject({
    path: '/models?api_key=[withheld]&x=[key:primary]',
    headers: { cookie: '[withheld]', 'x-app': '[key:primary]', 'idempotency-key': 'k-1' },
    body: Buffer.from('say [key:primary]'),
  });
  expect(facts.keyIn).toEqual(['the address', 'the body', 'the header x-app']);
});

test('takes out a key that is learned after others were', () => {
  const ring = new KeyRing();
  for (const key of [KEY, 'another-key-1']) {
    ring.learn(new Headers({ authorization: `Bearer ${key}` }));
    expect(ring.redactor.text(`say ${key}`)).toMatch(/^say \[key:\w+\]$/);
  }
});
