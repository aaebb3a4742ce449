import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Check } from '../kit/model/check.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import type { Profile } from '../kit/model/target.ts';
import { type AnswerForTest, answered, answeredGet } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { clientRaisesTypedError, clientReadsErrorItems } from './client-raises-typed-error.ts';
import { clientCompletes, clientListsModels, clientStreams } from './client-reads-answers.ts';
import type { ObservedApiError, ClientTrial, ClientResult } from './tested-client.ts';

const SAID = { choices: [{ message: { content: 'Hi.' } }] };
const SERVED: AnswerForTest = { body: SAID };
const LISTED: AnswerForTest = { body: { data: [{ id: 'small' }, { id: 'sharp' }] } };
const STREAM: AnswerForTest = {
  headers: { 'content-type': 'text/event-stream' },
  body: `data: {"choices":[{"delta":{"content":"Hi."}}]}\n\ndata: [DONE]\n\n`,
};
const REFUSED: AnswerForTest = {
  status: 400,
  body: { error: { code: 'unknown_field', message: 'No.', request_id: 'r-1' } },
};

const value = (seen: Extract<ClientResult, { kind: 'value' }>['value']): ClientResult => ({
  kind: 'value',
  value: seen,
});
const CHUNKS = value([{ choices: [{ delta: { content: 'Hi.' } }] }]);
const IDS = value([{ id: 'small' }, { id: 'sharp' }]);
const THREW: ClientResult = { kind: 'threw', name: 'TypeError', message: 'What?', apiError: undefined };
const raised = (seen: Partial<ObservedApiError> = {}): ClientResult => ({
  kind: 'threw',
  name: 'BadRequestError',
  message: 'No.',
  apiError: { status: 400, code: 'unknown_field', requestId: 'r-1', ...seen },
});

/** What a client saw of an answer, beside a served counterpart. */
function trial(result: ClientResult, exchange: Exchange, counterpart: AnswerForTest = SERVED): ClientTrial {
  return { exchanges: [exchange], counterpart: answered(counterpart), sight: result };
}

function ruling(check: Check, sent: ClientTrial, profile: Profile = {}) {
  return check.holds(sent, infoForTest({ profile }));
}

/** The code of what is violated, or the kind of any other ruling. */
function toldOf(...asked: Parameters<typeof ruling>): string {
  const said = ruling(...asked);
  return said.kind === 'violated' ? said.finding.code : said.kind;
}

const chat = (answer: AnswerForTest): Exchange => answered(answer);
const models = (answer: AnswerForTest): Exchange => answeredGet(ENDPOINTS.models, answer);

const SERVING = [
  { check: clientCompletes, result: value(SAID), answer: SERVED, exchange: chat },
  { check: clientStreams, result: CHUNKS, answer: STREAM, exchange: chat },
  { check: clientListsModels, result: IDS, answer: LISTED, exchange: models },
];
const REFUSING = [clientRaisesTypedError, clientReadsErrorItems];

test.each(SERVING)('$check.id: holds given a client that returned what was sent to it', (given) => {
  const { check, result, answer, exchange } = given;
  expect(ruling(check, trial(result, exchange(answer)))).toEqual({ kind: 'holds' });
});

test.each(SERVING)('$check.id: blames no client for what is refused without it too', (given) => {
  const { check, result, exchange } = given;
  const twice = (again: AnswerForTest) => {
    const first = trial(result, exchange(REFUSED));
    return { ...first, exchanges: [...first.exchanges, exchange(again)] };
  };
  expect(toldOf(check, twice(REFUSED))).toBe('not-exercised');
  expect(toldOf(check, twice(given.answer))).toBe('refused');
});

test.each(SERVING)('$check.id: reports each failure of the client under its own code', (given) => {
  const { check, result, answer, exchange } = given;
  const nothing = { exchanges: [], counterpart: answered(SERVED), sight: result };
  const other = exchange(answer);
  const trials = [nothing, trial(result, exchange(REFUSED)), trial(THREW, other), trial(value(null), other)];
  expect(trials.map((sent) => toldOf(check, sent))).toEqual([
    'nothing-sent',
    'refused',
    'threw',
    expect.stringMatching(/^other-(text|models)$/),
  ]);
});

test.each(SERVING)('$check.id: is not exercised without a served counterpart', (given) => {
  const { check, result, answer, exchange } = given;
  expect(ruling(check, trial(THREW, exchange(answer), REFUSED)).kind).toBe('not-exercised');
  expect(ruling(check, { exchanges: [exchange(answer)], sight: result }).kind).toBe('not-exercised');
});

test.each([clientCompletes, clientStreams, clientListsModels, ...REFUSING])(
  '$id: is inconclusive given a rate limit',
  (check) => {
    expect(toldOf(check, trial(raised(), answered({ ...REFUSED, status: 429 })))).toBe('inconclusive');
  },
);

test.each([clientCompletes, clientStreams, clientListsModels])(
  '$id: is inconclusive where no credit is left',
  (check) => {
    expect(toldOf(check, trial(raised(), answered({ ...REFUSED, status: 402 })))).toBe('inconclusive');
  },
);

test.each([
  { body: { data: { choices: [] } } },
  { body: { choices: [] } },
  { body: { choices: [{}] } },
  STREAM,
])('client-completes: leaves what holds no text to others: %j', (answer) => {
  expect(toldOf(clientCompletes, trial(value(null), answered(answer)))).toBe('not-exercised');
});

test('client-streams: leaves what is no event stream, or holds no text, to others', () => {
  const plain = { ...STREAM, headers: {} };
  const textless = { ...STREAM, body: 'data: [DONE]\n\n' };
  const kinds = [plain, textless].map((answer) => toldOf(clientStreams, trial(value([]), answered(answer))));
  expect(kinds).toEqual(['not-exercised', 'not-exercised']);
});

test('client-lists-models: reports one missing ID, and leaves a list elsewhere open', () => {
  const listed = (answer: AnswerForTest, seen: ClientResult) =>
    toldOf(clientListsModels, trial(seen, models(answer)));
  expect(listed(LISTED, value([{ id: 'small' }, 'sharp']))).toBe('other-models');
  expect(listed({ body: { data: [] } }, value([]))).toBe('not-exercised');
  expect(listed({ body: { q: 3 } }, value([]))).toBe('not-exercised');
});

test.each([
  [{ models: [{ id: 'small' }] }, '/models/*/id'],
  [{ data: [{ name: 'small' }] }, '/data/*/name'],
  [{ data: { small: {}, sharp: {} } }, '/data/*'],
])('client-lists-models: says where the IDs are that the client does not find in %j', (body, place) => {
  expect(ruling(clientListsModels, trial(value([]), models({ body })))).toEqual({
    kind: 'not-exercised',
    reason: `the client looks for IDs at /data/*/id, and they are at ${place}`,
  });
});

test('client-streams: takes what the client hands on for text where a profile says that events are text', () => {
  const body = 'data: "Route "\n\ndata: 66\n\n';
  const pins = { 'stream.text': '' };
  const seen = trial(value(['Route ', 66]), answered({ ...STREAM, body }));
  expect(ruling(clientStreams, seen, { pins })).toEqual({ kind: 'holds' });
});

test('shows the first two hundred characters of what the user of the client saw', () => {
  const long = 'x'.repeat(300);
  const told = (result: ClientResult) => ruling(clientRaisesTypedError, trial(result, answered(REFUSED)));
  expect(told({ ...THREW, message: long })).toMatchObject({
    finding: { actual: `TypeError: ${'x'.repeat(200)}` },
  });
  expect(told(value(long))).toMatchObject({ finding: { actual: `the value "${'x'.repeat(199)}` } });
});

test.each(REFUSING)('$id: holds given a typed error with the items of the answer', (check) => {
  expect(ruling(check, trial(raised(), answered(REFUSED)))).toEqual({ kind: 'holds' });
});

test.each(REFUSING)('$id: is violated given another exception, or none', (check) => {
  const told = [THREW, value(SAID)].map((result) => toldOf(check, trial(result, answered(REFUSED))));
  expect(told).toEqual(['untyped', 'untyped']);
});

test.each(REFUSING)(
  '$id: is not exercised given a request that was served, or no served counterpart',
  (check) => {
    expect(toldOf(check, trial(value(SAID), answered(SERVED)))).toBe('not-exercised');
    expect(toldOf(check, trial(raised(), answered(REFUSED), REFUSED))).toBe('not-exercised');
    expect(toldOf(check, { exchanges: [], counterpart: answered(SERVED), sight: THREW })).toBe(
      'not-exercised',
    );
    expect(toldOf(check, { exchanges: [answered(REFUSED)], sight: THREW })).toBe('not-exercised');
  },
);

test('client-raises-typed-error: is violated given another status', () => {
  expect(toldOf(clientRaisesTypedError, trial(raised({ status: 500 }), answered(REFUSED)))).toBe(
    'other-status',
  );
});

test('client-reads-error-items: is violated given a client that was told another code', () => {
  const seen = raised({ code: 'other' });
  expect(ruling(clientReadsErrorItems, trial(seen, answered(REFUSED)))).toMatchObject({
    kind: 'violated',
    finding: { code: 'other-code', path: '/error/code' },
  });
});

test.each([
  ['no error object', { status: 400, body: 'No.' }, {}],
  ['no code', { status: 400, body: { error: { message: 'No.', request_id: 'r-1' } } }, { code: 'x' }],
  [
    'a code elsewhere',
    { status: 400, body: { code: 'x', message: 'No.', request_id: 'r-1' } },
    { code: 'y' },
  ],
  ['a code that the client does not find', REFUSED, { code: undefined }],
  ['a request ID that the client does not find', REFUSED, { requestId: undefined }],
  ['another request ID, as behind a proxy', REFUSED, { requestId: 'r-2' }],
])('client-reads-error-items: leaves it open given %s', (_, answer, seen) => {
  expect(toldOf(clientReadsErrorItems, trial(raised(seen), answered(answer)))).toBe('not-exercised');
});

test('client-reads-error-items: violated by an error that is not in the coding that it declares', () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const told = (seen: Partial<ObservedApiError>, more: AnswerForTest = {}) =>
    toldOf(clientReadsErrorItems, trial(raised(seen), answered({ ...REFUSED, headers, ...more })));
  expect(told({ code: undefined })).toBe('unread');
  expect(told({ code: undefined }, { decoded: true })).toBe('not-exercised');
  // An older release sent this request without accepting a coding, and the client read the plain body.
  expect(told({})).toBe('holds');
});

test('client-reads-error-items: distinguishes a missing code from one elsewhere', () => {
  const body = { error: { message: 'No.', request_id: 'r-1' } };
  expect(ruling(clientReadsErrorItems, trial(raised(), answered({ status: 400, body })))).toEqual({
    kind: 'not-exercised',
    reason: 'no code was recognised in the error object: see ERR-1',
  });
});

test('client-reads-error-items: compares a code that is a number as it is written', () => {
  const body = { error: { code: 7, message: 'No.', request_id: 'r-1' } };
  const numbered = (code: string) =>
    toldOf(clientReadsErrorItems, trial(raised({ code }), answered({ status: 400, body })));
  expect([numbered('7'), numbered('8')]).toEqual(['holds', 'other-code']);
});
