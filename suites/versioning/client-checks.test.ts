import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { OpenAI } from 'tested-client';
import { VERSION } from 'tested-client/version';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Check } from '../kit/model/check.ts';
import type { Draft, Exchange } from '../kit/model/exchange.ts';
import type { Ruling } from '../kit/model/ruling.ts';
import type { Sender } from '../kit/model/stimulus.ts';
import { type AnswerForTest, answered } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import {
  clientRaisesTypedError,
  clientReadsErrorCode,
  clientReadsErrorItems,
} from './client-raises-typed-error.ts';
import {
  clientCompletes,
  clientListsModels,
  clientReadsFinishReason,
  clientStreams,
} from './client-reads-answers.ts';
import { clientRefusal } from './client-stimuli.ts';

const INFO = infoForTest();
const MODELS = { object: 'list', data: [{ id: 'small' }, { id: 'sharp' }] };
const COMPLETION = {
  choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
};
const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const STREAM =
  'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"delta":{"content":"lo."}}]}\n\ndata: [DONE]\n\n';
const REFUSAL = { error: { code: 'unknown_field', message: 'No.', request_id: 'r-1' } };

/** A service, by its answer to each kind of request. */
type Service = (draft: Draft, chat: { stream?: boolean; top_p?: number } | undefined) => AnswerForTest;

const GOOD: Service = ({ path }, chat) => {
  if (path === ENDPOINTS.models) return { body: MODELS };
  if (chat?.top_p !== undefined) return { status: 400, body: REFUSAL, headers: { 'x-request-id': 'r-1' } };
  return chat?.stream === true ? { body: STREAM, headers: EVENT_STREAM } : { body: COMPLETION };
};

/** The good service, but for its streams, or for what should be refused. */
const streaming =
  (answer: AnswerForTest): Service =>
  (draft, chat) =>
    chat?.stream === true ? answer : GOOD(draft, chat);
const refusing =
  (answer: AnswerForTest): Service =>
  (draft, chat) =>
    chat?.top_p === undefined ? GOOD(draft, chat) : answer;

async function run(check: Check, service: Service, drafts: Draft[] = []): Promise<Ruling> {
  const [input] = check.given.inputs(INFO).examples;
  const trial = await check.given.send(input, senderTo(service, drafts), INFO);
  return check.holds(trial, INFO);
}

function senderTo(service: Service, drafts: Draft[]): Sender {
  const send = async (draft: Draft): Promise<Exchange> => {
    drafts.push(draft);
    const text = draft.body === undefined ? '' : Buffer.from(draft.body).toString();
    const answer = service(draft, text === '' ? undefined : JSON.parse(text));
    return answered({ headers: { 'content-type': 'application/json' }, ...answer }, text, {
      method: draft.method,
      path: draft.path,
    });
  };
  return { send, sendCounterpart: send, provoke: send };
}

const ALL = [
  clientListsModels,
  clientCompletes,
  clientReadsFinishReason,
  clientStreams,
  clientRaisesTypedError,
  clientReadsErrorCode,
  clientReadsErrorItems,
];

test('the tested client is the release that the specification names', () => {
  expect(VERSION).toBe('7.23.0');
});

test.each(ALL.map((check) => [check.id, check] as const))(
  '%s holds given a service of the convention',
  async (_, check) => {
    expect(await run(check, GOOD)).toEqual({ kind: 'holds' });
  },
);

test('sends what the client sends, with a fresh key for each POST and without a credential', async () => {
  const drafts: Draft[] = [];
  await run(clientCompletes, GOOD, drafts);
  await run(clientStreams, GOOD, drafts);
  const byClient = drafts.filter(({ headers }) => headers?.['user-agent'] !== undefined);
  expect(byClient.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(2).fill('POST /chat/completions'),
  );
  const keys = byClient.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual(['fresh', 'fresh']);
  expect(byClient.every(({ headers }) => headers?.['authorization'] === undefined)).toBe(true);
});

test('accepts the codings that the fetch of the client accepts', async () => {
  const accepted = async (more: Partial<Sender>): Promise<unknown[]> => {
    const drafts: Draft[] = [];
    const [input] = clientRefusal.inputs(INFO).examples;
    await clientRefusal.send(input, { ...senderTo(GOOD, drafts), ...more }, INFO);
    return drafts.map(({ headers }) => headers?.['accept-encoding']);
  };
  // The counterpart is sent without the client.
  expect(await accepted({})).toEqual([undefined, 'gzip, deflate']);
  expect(await accepted({ isSecure: true })).toEqual([undefined, 'br, gzip, deflate']);
});

test('sends the headers that the fetch of this Node adds', async () => {
  const arrived: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    arrived.push(request.headers);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const baseURL = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const client = new OpenAI({ baseURL, apiKey: 'x', maxRetries: 0 });
  await client.chat.completions.create({ model: 'm', messages: [] });
  await new Promise((resolve) => server.close(resolve));
  const drafts: Draft[] = [];
  await run(clientCompletes, GOOD, drafts);
  const ofConnection = new Set(['authorization', 'connection', 'content-length', 'host']);
  const own = Object.keys(arrived[0] ?? {}).filter((name) => !ofConnection.has(name));
  const sent = drafts.at(-1)?.headers ?? {};
  expect(
    Object.keys(sent)
      .filter((name) => name !== 'idempotency-key')
      .toSorted(),
  ).toEqual(own.toSorted());
  for (const name of ['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent'])
    expect([name, sent[name]]).toEqual([name, arrived[0]?.[name]]);
});

test('violated when the client cannot decode what is labelled gzip', async () => {
  for (const check of [clientListsModels, clientCompletes, clientStreams])
    expect(await run(check, labelled)).toMatchObject({ kind: 'violated', finding: { code: 'threw' } });
});

test('violated when the client cannot decode a refusal', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const service = refusing({ status: 400, body: REFUSAL, headers });
  expect(await run(clientReadsErrorItems, service)).toMatchObject({ finding: { code: 'unread' } });
});

/** The good service, whose answers to the client are plain and labelled gzip. */
function labelled(...[draft, chat]: Parameters<Service>): AnswerForTest {
  const answer = GOOD(draft, chat);
  if (draft.headers?.['accept-encoding'] === undefined) return answer;
  const type = answer.headers ?? { 'content-type': 'application/json' };
  return { ...answer, headers: { ...type, 'content-encoding': 'gzip' } };
}

test('violated when only the client is refused', async () => {
  for (const check of [clientListsModels, clientCompletes, clientStreams]) {
    expect(await run(check, refusingTheClient)).toMatchObject({
      kind: 'violated',
      finding: { code: 'refused' },
    });
  }
});

test('not exercised when everyone is refused', async () => {
  for (const check of ALL) {
    expect((await run(check, () => ({ status: 401, body: REFUSAL }))).kind).toBe('not-exercised');
  }
});

test('violated when the client stumbles over a stream', async () => {
  const service = streaming({ body: STREAM.replace('[DONE]', '[END]'), headers: EVENT_STREAM });
  expect(await run(clientStreams, service)).toMatchObject({ kind: 'violated', finding: { code: 'threw' } });
});

test('violated when the client does not parse a response because of its content type', async () => {
  const headers = { 'content-type': 'text/plain' };
  expect(await run(clientCompletes, () => ({ body: COMPLETION, headers }))).toMatchObject({
    kind: 'violated',
    finding: { code: 'other-text' },
  });
});

test('takes a stream that holds one whole response and no terminator for one that works', async () => {
  const service = streaming({ body: `data: ${JSON.stringify(COMPLETION)}\n\n`, headers: EVENT_STREAM });
  expect((await run(clientStreams, service)).kind).toBe('holds');
});

test('leaves a list of another shape open, since the client looks in one place only', async () => {
  expect((await run(clientListsModels, () => ({ body: ['small', 'sharp'] }))).kind).toBe('not-exercised');
  // The client throws where `data` is no list.
  const body = { data: { items: [{ id: 'small' }] } };
  expect((await run(clientListsModels, () => ({ body }))).kind).toBe('not-exercised');
});

test('sees no finish reason in the client that stands elsewhere than where the client looks', async () => {
  const [choice] = COMPLETION.choices;
  const body = { choices: [{ message: choice?.message, stop_reason: 'stop' }] };
  expect(await run(clientReadsFinishReason, () => ({ body }))).toEqual({
    kind: 'not-exercised',
    reason:
      'the client looks for the finish reason at /choices/0/finish_reason, and it is at /choices/0/stop_reason',
  });
  const headers = { 'content-type': 'text/plain' };
  expect(await run(clientReadsFinishReason, () => ({ body: COMPLETION, headers }))).toMatchObject({
    finding: { code: 'other-finish-reason' },
  });
});

test('sees a code in the client beside a request ID that it does not find', async () => {
  const service = refusing({ status: 400, body: REFUSAL });
  expect((await run(clientReadsErrorCode, service)).kind).toBe('holds');
  expect((await run(clientReadsErrorItems, service)).kind).toBe('not-exercised');
});

test('leaves a code open that stands elsewhere than where the client finds one', async () => {
  const body = { error: { type: 'no', code: '', message: 'No.', request_id: 'r-1' } };
  const service = refusing({ status: 400, body, headers: { 'x-request-id': 'r-1' } });
  expect((await run(clientReadsErrorItems, service)).kind).toBe('not-exercised');
});

test('leaves items of an error open that the client does not find', async () => {
  const service = refusing({ status: 400, body: { slug: 'no', detail: 'No.', trace_id: 't' } });
  expect((await run(clientRaisesTypedError, service)).kind).toBe('holds');
  expect((await run(clientReadsErrorItems, service)).kind).toBe('not-exercised');
});

test('not exercised when the header holds another request ID than the body, as behind a proxy', async () => {
  const service = refusing({ status: 400, body: REFUSAL, headers: { 'x-request-id': 'r-2' } });
  expect(await run(clientReadsErrorItems, service)).toMatchObject({ kind: 'not-exercised' });
});

test('violated when a refusal comes with a status that no client takes for an error', async () => {
  expect(await run(clientRaisesTypedError, refusing({ body: REFUSAL }))).toMatchObject({
    finding: { code: 'untyped' },
  });
});

test('not exercised when what should be refused is served', async () => {
  expect((await run(clientRaisesTypedError, refusing({ body: COMPLETION }))).kind).toBe('not-exercised');
});

test.each([
  [503, 'the service says that it is unavailable, in place of the refusal'],
  [429, 'a rate limit error took the place of the refusal'],
  [500, 'the service failed instead of refusing, see ERR-11'],
])('inconclusive, with what came in place of the refusal, given status %i', async (status, reason) => {
  for (const check of [clientRaisesTypedError, clientReadsErrorCode, clientReadsErrorItems])
    expect(await run(check, refusing({ status, body: REFUSAL }))).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining(reason),
    });
});

function refusingTheClient(...[draft, chat]: Parameters<Service>): AnswerForTest {
  return draft.headers?.['user-agent'] === undefined ? GOOD(draft, chat) : { status: 403, body: REFUSAL };
}

const DEPTH = 100_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

test('holds given answers nested so deeply that no JSON.stringify writes them', async () => {
  const withDepths = (value: object): string => JSON.stringify(value).replace(/^\{/, `{"extra":${DEEP},`);
  const service: Service = (draft, chat) => {
    const { body, ...rest } = GOOD(draft, chat);
    return { ...rest, body: typeof body === 'string' ? body : withDepths(body as object) };
  };
  for (const check of ALL) expect(await run(check, service)).toEqual({ kind: 'holds' });
  const stream = streaming({
    body: STREAM.replaceAll('data: {', `data: {"x":${DEEP},`),
    headers: EVENT_STREAM,
  });
  expect(await run(clientStreams, stream)).toEqual({ kind: 'holds' });
});

test('throws what our own code threw, and does not blame the client for it', async () => {
  const ours = new RangeError('ours');
  const sender: Sender = {
    ...senderTo(GOOD, []),
    send: async () => {
      throw ours;
    },
  };
  for (const check of ALL) {
    const [input] = check.given.inputs(INFO).examples;
    await expect(check.given.send(input, sender, INFO)).rejects.toBe(ours);
  }
});
