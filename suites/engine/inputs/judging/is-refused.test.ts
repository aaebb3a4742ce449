import { expect, test } from 'vitest';
import { check, type Judged } from '../../model/check.ts';
import { HOLDS, inconclusive } from '../../model/ruling.ts';
import { answered, type AnswerForTest, errorAnswer, eventStream } from '../../test-support/exchange.ts';
import { ruled } from '../../test-support/rulings.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { getStimulus } from '../provoking/listed-models.ts';
import { isRefused, requireErrorObject } from './is-refused.ts';

const info = infoForTest();
const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const MUTANT = { ...CHAT, n: 1 };
const SERVED = { body: { choices: [{}] } };
const REFUSED = errorAnswer('unknown_field');

const given = getStimulus('nothing', '/models', []);
const CHECK = check({ id: 'c', clauses: ['REQ-6'], title: 't', given, holds: isRefused('REQ-6') });

interface Sent {
  readonly counterpart?: AnswerForTest;
  readonly mutant?: object;
  readonly control?: object;
}

function ruling(answer: AnswerForTest, { counterpart = SERVED, mutant = MUTANT, control = CHAT }: Sent = {}) {
  const trial = { exchanges: [answered(answer, mutant)], counterpart: answered(counterpart, control) };
  return ruled(CHECK, trial);
}

const BOTH_REFUSED = 'its counterpart was refused too: status 400, code "unknown_field"';
const FAILED = 'the service failed, see ERR-11: status 500';

test.each<[string, AnswerForTest, Sent, object]>([
  ['a refusal', REFUSED, {}, HOLDS],
  ['one that is no error object, see ERR-1', { status: 400, body: '<html>' }, {}, HOLDS],
  ['a completion', SERVED, {}, { finding: { code: 'accepted', actual: '200 with a completion' } }],
  ['a counterpart that was refused too', REFUSED, { counterpart: REFUSED }, { reason: BOTH_REFUSED }],
  ['a counterpart that failed', REFUSED, { counterpart: { status: 500 } }, { kind: 'not-exercised' }],
  ['a counterpart that is wrong', REFUSED, { control: { ...CHAT, m: 1 } }, { kind: 'not-exercised' }],
  ['a mutant that is right', SERVED, { mutant: CHAT }, { kind: 'not-exercised' }],
  ['one wrong in two places', SERVED, { mutant: { ...MUTANT, m: 1 } }, { kind: 'not-exercised' }],
  ['one for another clause', SERVED, { mutant: { ...CHAT, stream: 1 } }, { kind: 'not-exercised' }],
  ['a failure', { status: 500 }, {}, inconclusive(FAILED)],
  ['503', { status: 503 }, {}, { reason: 'the service says that it is unavailable: status 503' }],
  ['429', { status: 429 }, {}, inconclusive('the request met a rate limit: status 429')],
  ['text', { body: 'Hm.' }, {}, { kind: 'inconclusive', reason: expect.stringContaining('was recognised') }],
])('rules on %s', (_, answer, sent, expected) => {
  expect(ruling(answer, sent)).toMatchObject(expected);
});

test('is not exercised given no counterpart', () => {
  expect(ruled(CHECK, { exchanges: [answered(REFUSED, MUTANT)] }).kind).toBe('not-exercised');
});

test('holds for each of the clauses that forbid what was sent', () => {
  const trial: Judged = {
    exchanges: [answered(REFUSED, { ...CHAT, tools: [] })],
    counterpart: answered(SERVED, CHAT),
  };
  const rulings = [isRefused('REQ-6'), isRefused('SVC-5'), isRefused('REQ-1', 'SVC-5'), isRefused('REQ-1')];
  const kinds = rulings.map((judge) => judge(trial, info).kind);
  expect(kinds).toEqual(['holds', 'holds', 'holds', 'not-exercised']);
});

test('takes the models of the second key for listed given a request that carries it', () => {
  const second = { credential: { kind: 'key', name: 'second' } } as const;
  const counterpart = answered(SERVED, { ...CHAT, model: 'other' }, second);
  const trial: Judged = {
    exchanges: [answered(REFUSED, { ...MUTANT, model: 'other' }, second)],
    counterpart,
  };
  expect(isRefused('REQ-6')(trial, infoForTest({ secondModels: [{ id: 'other' }] })).kind).toBe('holds');
  expect(isRefused('REQ-6')(trial, info).kind).toBe('not-exercised');
});

const STREAMED = { ...eventStream({ error: { code: 'x', message: 'No.' } }), status: 400 };

test.each<[string, AnswerForTest, object | string]>([
  ['holds', { status: 400, body: { error: { code: 'x', message: 'No.' } } }, CHAT],
  ['inconclusive', { status: 400, body: 'No.' }, CHAT],
  ['inconclusive', { status: 400, body: 'No.' }, { ...CHAT, stream: true }],
  ['inconclusive', { status: 400, body: 'No.' }, '{"model":'],
  ['inconclusive', STREAMED, CHAT],
  // It came inside the stream that was asked for: STR-4.
  ['not-exercised', STREAMED, { ...CHAT, stream: true }],
])('requires an error object: %s given %j to %j', (kind, answer, sent) => {
  expect(requireErrorObject(HOLDS, { exchanges: [answered(answer, sent)] }, info).kind).toBe(kind);
});

test('returns any other ruling as it is', () => {
  const other = inconclusive('it failed');
  expect(requireErrorObject(other, { exchanges: [answered()] }, info)).toBe(other);
});
