import { OpenAI } from 'tested-client';
import { VERSION } from 'tested-client/version';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import type { Check } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import type { Ruling } from '../engine/model/ruling.ts';
import type { Sender } from '../engine/model/stimulus.ts';
import { type AnswerForTest, answered, answeredGet } from '../engine/test-support/exchange.ts';
import { ruled, senderForTest } from '../engine/test-support/rulings.ts';
import { serve } from '../engine/test-support/service.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import {
  clientCompletes,
  clientListsModels,
  clientRaisesTypedError,
  clientReadsErrorCode,
  clientReadsFinishReason,
  clientStreams,
} from './client-checks.ts';
import {
  type ClientResult,
  type ClientTrial,
  clientRefusal,
  type ObservedApiError,
} from './tested-client.ts';

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
  const sent = await check.given.send(input, senderTo(service, drafts), INFO);
  return ruled(check, sent, INFO);
}

function senderTo(service: Service, drafts: Draft[]): Sender {
  return senderForTest((draft) => {
    drafts.push(draft);
    const chat = draft.body === undefined ? undefined : JSON.parse(Buffer.from(draft.body).toString());
    return { headers: { 'content-type': 'application/json' }, ...service(draft, chat) };
  });
}

const ALL = [
  clientListsModels,
  clientCompletes,
  clientReadsFinishReason,
  clientStreams,
  clientRaisesTypedError,
  clientReadsErrorCode,
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
  const { baseUrl: baseURL, arrived } = await serve((_, response) => response.end('{}'));
  const client = new OpenAI({ baseURL, apiKey: 'x', maxRetries: 0 });
  await client.chat.completions.create({ model: 'm', messages: [] });
  const headers = arrived[0]?.request.headers ?? {};
  const drafts: Draft[] = [];
  await run(clientCompletes, GOOD, drafts);
  const ofConnection = new Set(['authorization', 'connection', 'content-length', 'host']);
  const own = Object.keys(headers).filter((name) => !ofConnection.has(name));
  const sent = drafts.at(-1)?.headers ?? {};
  expect(new Set(Object.keys(sent))).toEqual(new Set(own));
  for (const name of ['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent'])
    expect([name, sent[name]]).toEqual([name, headers[name]]);
});

/** The code of what is violated, or the kind of any other ruling. */
function told(ruling: Ruling): string {
  return ruling.kind === 'violated' ? ruling.finding.code : ruling.kind;
}

const SERVING = [clientListsModels, clientCompletes, clientReadsFinishReason, clientStreams];
const REFUSING = [clientRaisesTypedError, clientReadsErrorCode];

/** The good service, whose answers to the client are plain and labelled gzip. */
function labelled(...[draft, chat]: Parameters<Service>): AnswerForTest {
  const answer = GOOD(draft, chat);
  if (draft.headers?.['accept-encoding'] === undefined) return answer;
  const type = answer.headers ?? { 'content-type': 'application/json' };
  return { ...answer, headers: { ...type, 'content-encoding': 'gzip' } };
}

/** The good service, with so deep a member in each object that no JSON.stringify writes it. */
function nested(...[draft, chat]: Parameters<Service>): AnswerForTest {
  const { body, ...rest } = GOOD(draft, chat);
  const deep = `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)},`;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...rest, body: text.replaceAll(/^\{|(?<=data: )\{/gm, deep) };
}

function refusingTheClient(...[draft, chat]: Parameters<Service>): AnswerForTest {
  return draft.headers?.['user-agent'] === undefined ? GOOD(draft, chat) : { status: 403, body: REFUSAL };
}

const PLAIN = { 'content-type': 'text/plain' };
const SERVED_ELSEWHERE = {
  choices: [{ ...COMPLETION.choices[0], finish_reason: null, stop_reason: 'stop' }],
};
const refused = (body: object): Service => refusing({ status: 400, body });

const CODE = [clientReadsErrorCode];
const CODELESS = { ...REFUSAL.error, code: null };
const inText: Service = () => ({ body: COMPLETION, headers: PLAIN });
const events = (body: string): Service => streaming({ body, headers: EVENT_STREAM });

test.each<[string, readonly Check[], Service, string]>([
  ['bodies labelled gzip that are plain', SERVING, labelled, 'threw'],
  ['answers nested 20,000 deep', ALL, nested, 'holds'],
  ['a refusal of the client alone', SERVING, refusingTheClient, 'refused'],
  ['an unknown end of a stream', [clientStreams], events(STREAM.replace('[DONE]', '[END]')), 'threw'],
  ['a completion as plain text', [clientCompletes], inText, 'other-text'],
  ['a finish reason in plain text', [clientReadsFinishReason], inText, 'other-finish-reason'],
  ['an error labelled gzip', CODE, labelled, 'threw'],
  ['an error with status 200', REFUSING, refusing({ body: REFUSAL }), 'untyped'],
  ['a code at its place', [clientReadsErrorCode], refused(REFUSAL), 'holds'],
  ['a number for a code', CODE, refused({ error: { ...REFUSAL.error, code: 7 } }), 'holds'],
  ['items of other names', [clientRaisesTypedError], refused({ slug: 'no', trace_id: 't' }), 'holds'],
])('given %s', async (_, checks, service, expected) => {
  for (const check of checks)
    expect([check.id, told(await run(check, service))]).toEqual([check.id, expected]);
});

test.each<[string, readonly Check[], Service]>([
  ['a refusal of everyone', ALL, () => ({ status: 401, body: REFUSAL })],
  ['a rate limit error', SERVING, () => ({ status: 429, body: REFUSAL })],
  // Elsewhere than where the client looks
  ['a bare list', [clientListsModels], () => ({ body: ['small', 'sharp'] })],
  ['a list that it throws at', [clientListsModels], () => ({ body: { data: { items: [{ id: 'a' }] } } })],
  ['a list under models', [clientListsModels], () => ({ body: { models: MODELS.data } })],
  ['an empty list', [clientListsModels], () => ({ body: { data: [] } })],
  ['a stop reason', [clientReadsFinishReason], () => ({ body: SERVED_ELSEWHERE })],
  ['one whole event', [clientStreams], events(`data: ${JSON.stringify(COMPLETION)}\n\n`)],
  ['a stream without text', [clientStreams], events('data: [DONE]\n\n')],
  ['a stream as JSON', [clientStreams], streaming({ body: COMPLETION })],
  // Errors
  ['a served request', REFUSING, refusing({ body: COMPLETION })],
  ['another name of the code', CODE, refused({ error: { ...CODELESS, type: 'no' } })],
  ['null for a code', CODE, refused({ error: CODELESS })],
  ['no code', CODE, refused({ error: { message: 'No.', request_id: 'r-1' } })],
  ['no error object', CODE, refusing({ status: 400, body: 'No.' })],
])('not exercised given %s', async (_, checks, service) => {
  for (const check of checks)
    expect([check.id, told(await run(check, service))]).toEqual([check.id, 'not-exercised']);
});

test('says where the client looks, and where it is', async () => {
  expect(await run(clientReadsFinishReason, () => ({ body: SERVED_ELSEWHERE }))).toEqual({
    kind: 'not-exercised',
    reason:
      'the client looks for the finish-reason at /choices/0/finish_reason, not at /choices/0/stop_reason',
  });
  expect(await run(clientListsModels, () => ({ body: { models: ['small'] } }))).toMatchObject({
    reason: 'the client looks for the models at /data/*/id, not at /models/*',
  });
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

/** What a client may make of an answer, which the tested one does not. */
function trial(sight: ClientResult, ...exchanges: readonly Exchange[]): ClientTrial {
  return { exchanges, counterpart: answered({ body: COMPLETION }), sight };
}

const returned = (value: Extract<ClientResult, { kind: 'value' }>['value']): ClientResult => ({
  kind: 'value',
  value,
});
const THREW: ClientResult = {
  kind: 'threw',
  name: 'TypeError',
  message: 'x'.repeat(300),
  apiError: undefined,
};
const raised = (seen: Partial<ObservedApiError>): ClientResult => ({
  kind: 'threw',
  name: 'BadRequestError',
  message: 'No.',
  apiError: { status: 400, code: 'unknown_field', ...seen },
});

const COMPLETED = answered({ body: COMPLETION });
const STREAMED = answered({ body: STREAM, headers: EVENT_STREAM });
const LISTED = answeredGet(ENDPOINTS.models, { body: MODELS });
const REFUSED = answered({ status: 400, body: REFUSAL });
const LIMITED = answered({ status: 429, body: REFUSAL });
const UNPAID = answered({ status: 402, body: REFUSAL });

test.each<[Check, ClientTrial, string]>([
  [clientCompletes, trial(returned({ choices: [{ message: { content: 'x' } }] }), COMPLETED), 'other-text'],
  [clientCompletes, trial(returned(null), COMPLETED), 'other-text'],
  [clientStreams, trial(returned([{ choices: [{ delta: { content: 'Hel' } }] }]), STREAMED), 'other-text'],
  [clientStreams, trial(returned([]), STREAMED), 'other-text'],
  [clientListsModels, trial(returned([{ id: 'small' }, 'sharp']), LISTED), 'other-models'],
  [clientListsModels, trial(THREW, LISTED), 'threw'],
  [clientCompletes, trial(returned(null), LIMITED), 'inconclusive'],
  [clientCompletes, trial(returned(null), UNPAID), 'inconclusive'],
  // A chat that comes twice may be refused without the client too.
  [clientCompletes, trial(THREW, REFUSED, REFUSED), 'not-exercised'],
  [clientCompletes, trial(THREW, REFUSED, COMPLETED), 'refused'],
  [clientRaisesTypedError, trial(raised({ status: 500 }), REFUSED), 'other-status'],
  [clientRaisesTypedError, trial(THREW, REFUSED), 'untyped'],
  [clientReadsErrorCode, trial(raised({ code: 'other' }), REFUSED), 'other-code'],
])('$id: given %j, %s', (check, sent, expected) => {
  expect(told(ruled(check, sent, INFO))).toBe(expected);
});
