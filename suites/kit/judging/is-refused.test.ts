import { expect, test } from 'vitest';
import { HOLDS, inconclusive } from '../model/ruling.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { isRefused, refusedUnlikeCounterpart, requireErrorObject } from './is-refused.ts';

const info = infoForTest();
const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const SERVED = { body: { choices: [{}] } };
const REFUSED = { status: 400, body: { error: { code: 'unknown_field', message: 'm', request_id: 'r' } } };

function ruling(
  mutant: AnswerForTest,
  counterpartAnswer: AnswerForTest = SERVED,
  sent: object = { ...CHAT, n: 1 },
  counterpart: object = CHAT,
) {
  const trial = {
    exchanges: [answered(mutant, sent)],
    counterpart: answered(counterpartAnswer, counterpart),
  };
  return isRefused('REQ-6')(trial, info);
}

test('holds given a refused mutant and a served counterpart', () => {
  expect(ruling(REFUSED)).toEqual({ kind: 'holds' });
});

test('holds given a refusal that is no error object: that is the business of another clause', () => {
  expect(ruling({ status: 400, body: '<html>' })).toEqual({ kind: 'holds' });
});

test('is violated given a served mutant', () => {
  expect(ruling(SERVED)).toMatchObject({
    kind: 'violated',
    finding: { code: 'accepted', actual: '200 with a completion' },
  });
});

test('is not exercised given a counterpart that was refused too', () => {
  expect(ruling(REFUSED, REFUSED)).toEqual({
    kind: 'not-exercised',
    reason: 'its counterpart was refused too: status 400, code "unknown_field"',
  });
});

test('is not exercised given a counterpart that failed', () => {
  expect(ruling(REFUSED, { status: 500 })).toMatchObject({ kind: 'not-exercised' });
});

test.each([
  [{ status: 500 }, 'the service failed instead of refusing, see ERR-11: status 500'],
  [{ status: 503 }, 'the service says that it is unavailable, in place of the refusal'],
  [{ status: 429 }, 'a rate limit error took the place of the refusal'],
  [{ body: 'Hm.' }, 'neither a completion nor an error was recognised: status 200'],
])('is inconclusive given a mutant that was answered %j, and says why', (mutant, reason) => {
  expect(ruling(mutant)).toEqual({ kind: 'inconclusive', reason });
});

test('is not exercised given no mutant, or no counterpart', () => {
  const mutant = answered(REFUSED, { ...CHAT, n: 1 });
  const trials = [{ exchanges: [], counterpart: answered(SERVED, CHAT) }, { exchanges: [mutant] }];
  for (const trial of trials) {
    expect(isRefused('REQ-6')(trial, info).kind).toBe('not-exercised');
    expect(refusedUnlikeCounterpart(trial, info, 'it is forbidden').kind).toBe('not-exercised');
  }
});

test('holds for each of the clauses that forbid what was sent', () => {
  const tools = answered(REFUSED, { ...CHAT, tools: [] });
  const trial = { exchanges: [tools], counterpart: answered(SERVED, CHAT) };
  const rulings = [isRefused('REQ-6'), isRefused('SVC-5'), isRefused('REQ-1', 'SVC-5'), isRefused('REQ-1')];
  expect(rulings.map((judge) => judge(trial, info).kind)).toEqual([
    'holds',
    'holds',
    'holds',
    'not-exercised',
  ]);
});

test('is not exercised given a mutant that is valid, wrong in two places, or wrong for another clause', () => {
  const sent = [CHAT, { ...CHAT, n: 1, m: 1 }, { ...CHAT, stream: 1 }];
  const kinds = sent.map((body) => ruling(SERVED, SERVED, body).kind);
  expect(kinds).toEqual(['not-exercised', 'not-exercised', 'not-exercised']);
});

test('is not exercised given a counterpart that is wrong itself', () => {
  expect(ruling(REFUSED, SERVED, { ...CHAT, n: 1 }, { ...CHAT, m: 1 }).kind).toBe('not-exercised');
});

test('takes the models of the second key for listed given a request that carries it', () => {
  const second = { credential: { kind: 'key', name: 'second' } } as const;
  const body = { ...CHAT, model: 'other', n: 1 };
  const counterpart = answered(SERVED, { ...CHAT, model: 'other' }, second);
  const trial = { exchanges: [answered(REFUSED, body, second)], counterpart };
  const secondModels = [{ id: 'other' }];
  expect(isRefused('REQ-6')(trial, infoForTest({ secondModels })).kind).toBe('holds');
  expect(isRefused('REQ-6')(trial, info).kind).toBe('not-exercised');
});

const STREAMED: AnswerForTest = {
  status: 400,
  headers: { 'content-type': 'text/event-stream' },
  body: 'data: {"error":{"code":"x","message":"No."}}\n\n',
};

function kind(answer: AnswerForTest, stream = false): string {
  const exchange = answered(answer, { model: 'small', messages: [], stream });
  return requireErrorObject(HOLDS, { exchanges: [exchange] }, infoForTest()).kind;
}

test('returns the ruling given a refusal with an error object, and any other ruling as it is', () => {
  expect(kind({ status: 400, body: { error: { code: 'x', message: 'No.' } } })).toBe('holds');
  const other = inconclusive('it failed');
  expect(requireErrorObject(other, { exchanges: [answered()] }, infoForTest())).toBe(other);
});

test('is inconclusive given a refusal without one', () => {
  expect(kind({ status: 400, body: 'No.' })).toBe('inconclusive');
  expect(kind({ status: 400, body: 'No.' }, true)).toBe('inconclusive');
});

test('is inconclusive given a refusal without one of a request that was no JSON', () => {
  const trial = { exchanges: [answered({ status: 400, body: 'No.' }, '{"model":')] };
  expect(requireErrorObject(HOLDS, trial, infoForTest())).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('ERR-1'),
  });
});

test('returns the ruling given a trial that sent nothing', () => {
  expect(requireErrorObject(HOLDS, { exchanges: [] }, infoForTest())).toBe(HOLDS);
});

test('leaves a refusal inside the event stream that was asked for to others', () => {
  expect(kind(STREAMED, true)).toBe('not-exercised');
  expect(kind(STREAMED)).toBe('inconclusive');
});
