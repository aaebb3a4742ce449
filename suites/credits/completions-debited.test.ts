import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import type { Profile } from '../engine/model/target.ts';
import { type AnswerForTest, eventStream } from '../engine/test-support/exchange.ts';
import { REFUSED, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { successIsDebited, usageAgreesWithDebit } from './completions-debited.ts';
import { CHARGED, change, chargedTrial } from './test-support/charged-trials.ts';

const ofDebit = (...trial: Parameters<typeof chargedTrial>) =>
  ruled(successIsDebited, chargedTrial(...trial));

const FAILED: WorkspaceRequest = { requestId: 'r-0', state: 'failed', reservation: null, debit: null };

const held = { credits: 20, state: 'held' } as const;

test.each<[kind: string, what: string, charged: Parameters<typeof chargedTrial>[0], code?: string]>([
  ['holds', 'a debit and a consumed reservation', { records: [CHARGED] }],
  ['holds', 'a debit without a reservation', { records: [{ ...CHARGED, reservation: null }] }],
  ['holds', 'a debit beside an attempt that cost nothing', { records: [FAILED, CHARGED] }],
  ['violated', 'no debit', { records: [{ ...CHARGED, debit: null }] }, 'no-debit'],
  ['violated', 'a debit of nothing', { records: [{ ...CHARGED, debit: 0 }] }, 'no-debit'],
  ['violated', 'two debits', { records: [CHARGED, { ...CHARGED, requestId: 'r-2' }] }, 'debited-twice'],
  ['violated', 'a reservation still held', { records: [{ ...CHARGED, reservation: held }] }, 'not-consumed'],
  ['violated', 'a balance lower by more than the debit', { change: change(8) }, 'balance'],
  ['violated', 'a balance lower by less', { change: change(6) }, 'balance'],
  ['violated', 'credits set aside that were not before', { change: change(7, 3) }, 'still-held'],
  ['inconclusive', 'a debit beside what still runs', { records: [CHARGED, { ...FAILED, state: 'running' }] }],
])('success-is-debited: %s given %s', (kind, _, charged, code) => {
  expect(ofDebit(charged)).toMatchObject({ kind, ...(code !== undefined && { finding: { code } }) });
});

test('success-is-debited: is inconclusive, and says why, given a workspace that does not show the request', () => {
  const reason = expect.stringContaining('a replica other than');
  expect(ofDebit({ records: [] })).toMatchObject({ kind: 'inconclusive', reason });
});

test('success-is-debited: leaves refusals and failures to others', () => {
  expect([ofDebit({ records: [] }, REFUSED).kind, ofDebit({ records: [] }, { status: 500 }).kind]).toEqual([
    'not-exercised',
    'inconclusive',
  ]);
});

const SHOWN: WorkspaceRequest = { ...CHARGED, usage: { input: 3, output: 2 }, finishReason: 'stop' };
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const saying = (usage: object | undefined, finish_reason: unknown = 'stop'): AnswerForTest => ({
  body: { choices: [{ message: { content: 'Hi.' }, finish_reason }], usage },
});
const streaming = (usage: object) =>
  eventStream({ choices: [{ delta: { content: 'Hi.' }, finish_reason: 'stop' }], usage });

function ofUsage(
  answer: AnswerForTest,
  records: readonly WorkspaceRequest[] = [SHOWN],
  profile: Profile = {},
) {
  return ruled(usageAgreesWithDebit, chargedTrial({ records }, answer), infoForTest({ profile }));
}

const WRONG = saying({ ...USAGE, completion_tokens: 9 });

test.each<[string, string, AnswerForTest, (readonly WorkspaceRequest[])?]>([
  ['holds', 'the usage of the debit', saying(USAGE)],
  ['holds', 'a part of it', saying({ completion_tokens: 2 })],
  ['holds', 'the usage of the debit in a stream', streaming(USAGE)],
  ['holds', 'it beside an attempt that cost nothing', saying(USAGE), [{ ...CHARGED, debit: null }, SHOWN]],
  ['not-exercised', 'a workspace without a debit', WRONG, [{ ...SHOWN, debit: null }]],
  ['not-exercised', 'one without usage', WRONG, [{ ...CHARGED, finishReason: 'stop' }]],
  ['not-exercised', 'one without a finish reason', WRONG, [{ ...CHARGED, usage: { input: 3, output: 2 } }]],
  ['inconclusive', 'a failure, which is no answer', { status: 500 }],
])('usage-agrees-with-debit: %s given %s', (kind, _, answer, records) => {
  expect(ofUsage(answer, records).kind).toBe(kind);
});

test.each([
  [saying({ ...USAGE, prompt_tokens: 4 }), 'usage-input', '/usage/prompt_tokens'],
  [saying({ ...USAGE, completion_tokens: 9 }), 'usage-output', '/usage/completion_tokens'],
  [saying({ ...USAGE, total_tokens: 6 }), 'usage-total', '/usage/total_tokens'],
  [saying(USAGE, 'length'), 'finish-reason', '/choices/0/finish_reason'],
  [saying({ input: 3, output: 2 }, 'length'), 'finish-reason', '/choices/0/finish_reason'],
  [streaming({ ...USAGE, completion_tokens: 9 }), 'usage-output', '/usage/completion_tokens'],
])('usage-agrees-with-debit: violated given %j', (answer, code, path) => {
  expect(ofUsage(answer)).toMatchObject({ kind: 'violated', finding: { code, path } });
});

test.each([
  ['no usage', saying(undefined), 'the usage is absent: see RES-4'],
  ['unrecognised usage', { body: { choices: [], spent: 7 } }, 'the usage is unrecognised: see RES-4'],
  ['no finish reason', saying(USAGE, null), 'the finish reason is absent: see RES-3'],
  [
    'a number for the finish reason',
    saying(USAGE, 7),
    'the finish reason is not text, so it cannot be compared',
  ],
  ['no choice', { body: { choices: [], usage: USAGE } }, 'the finish reason is absent: see RES-3'],
  ['no choices', { body: { text: 'Hi.', usage: USAGE } }, 'the finish reason is absent: see RES-3'],
  ['no JSON', { body: 'Hi.' }, 'the usage is absent: see RES-4'],
])(
  'usage-agrees-with-debit: is not exercised given %s in the answer: that is the business of others',
  (_, answer, reason) => {
    expect(ofUsage(answer)).toMatchObject({ kind: 'not-exercised', reason });
  },
);

test('usage-agrees-with-debit: compares counts of tokens only, as their name or the profile says', () => {
  const inCredits = saying({ input: 30, output: 20 });
  expect(ofUsage(inCredits)).toMatchObject({
    kind: 'not-exercised',
    hint: expect.stringMatching(/"response.usage.input" .* such as \/input\/tokens/),
  });
  expect(ofUsage(saying({ input: 3, output: 20 })).kind).toBe('not-exercised');
  const pins = { 'response.usage.output': 'output' };
  expect(ofUsage(inCredits, [SHOWN], { pins })).toMatchObject({ finding: { code: 'usage-output' } });
});
