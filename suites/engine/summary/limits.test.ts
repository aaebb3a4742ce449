import { expect, test } from 'vitest';
import { refusedChats } from '../inputs/provoking/chat-drafts.ts';
import type { ClauseResult, Verdict } from '../model/summary.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { type Circumstances, limitsOf, namesCap, partedCuts } from './limits.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const SERVED: AnswerForTest = { body: { choices: [{ message: { content: 'Hi.' } }] } };

const counterpart = (answer: AnswerForTest) => ({ ...answered(answer, CHAT), id: 'control/0123' });

function clause(verdict: Verdict, checks: readonly string[] = ['some-check']): ClauseResult {
  return { id: 'STR-1', bound: 'service', level: 'stated', verdict, checks, reason: '' };
}

/** A run in which nothing limits its verdicts, but for these circumstances. */
function limits(more: Partial<Circumstances> = {}) {
  return limitsOf({
    record: FIRST,
    clauses: [clause('pass')],
    info: infoForTest(),
    concurrency: 4,
    ...more,
  });
}

const FIRST = [counterpart(SERVED), counterpart(SERVED)];
const ONE_MODEL = infoForTest({ models: [{ id: 'm' }] });
/** Refused, to be compared with. */
const COMPARED = Object.values(refusedChats(infoForTest())).map(({ body }) => ({
  ...answered({ status: 400 }, String(body)),
  id: 'control/4567',
}));

test('has nothing to say of a run that says all it can', () => {
  expect(limits()).toEqual({ cutShort: [], warnings: [] });
});

test.each<[Partial<Circumstances>, string]>([
  [{ info: ONE_MODEL }, 'only one model'],
  [{ record: [...FIRST, counterpart({ status: 429 })] }, 'refused 1 of 3 requests'],
  [{ withholds: 'completions', record: [] }, 'no completions were requested'],
])('warns in the circumstances %#: %s', (run, words) => {
  expect(limits(run).warnings[0]).toContain(words);
});

const CUT = counterpart({ ...SERVED, whole: { bytes: 9_000_000, sha256: '0' } });
const UNPAID = counterpart({ status: 402 });

test.each([
  ['answers were not kept whole', CUT],
  ['requests were refused for lack of credits', UNPAID],
])('warns that a few %s, and is cut short by many', (words, spoiled) => {
  // What was armed to be refused is no sign of it.
  const armed = { ...UNPAID, armed: 'refusal' as const };
  const few = [...Array.from({ length: 10 }, () => counterpart(SERVED)), armed, spoiled];
  const [one, two] = [limits({ record: few }), limits({ record: [...few, spoiled] })];
  expect(one.cutShort).toEqual([]);
  expect(one.warnings.join()).toContain(`1 of 12 ${words}`);
  expect(two.cutShort.join()).toContain(`2 of 13 ${words}`);
  expect(two.warnings.join()).not.toContain(words);
});

const REFUSED = answered({ status: 400 }, CHAT);
const refused = (...statuses: number[]) => statuses.map((status) => counterpart({ status }));
const UNSENT = { ...counterpart(SERVED), outcome: { kind: 'not-sent', reason: 'withheld' } } as const;
const ONLY_REFUSALS = ', since this run sends only chats that must be refused';

test.each<[string, Circumstances['record'], 'completions' | undefined, string]>([
  ['every acceptable chat was refused', refused(302), undefined, ' (status 302)'],
  ['some failed', refused(409, 500), undefined, ' (status 409, 500)'],
  [
    'the key is bad',
    [...refused(401), ...COMPARED],
    undefined,
    ', since the key was rejected everywhere (status 401)',
  ],
  ['a refusable one was served', [...refused(400), answered(SERVED, CHAT)], undefined, ' (status 400)'],
  ['only refusals were sent', [REFUSED, UNSENT], 'completions', ONLY_REFUSALS],
  ['only models were read', [], undefined, ', since none was sent'],
])('is cut short since no chat was accepted, where %s', (_what, record, withholds, why) => {
  const clauses = [clause('pass'), clause('inconclusive'), clause('not-exercised', [])];
  expect(limits({ record, withholds, clauses }).cutShort).toEqual([
    `no chat was accepted${why}: nothing is known about completions; clauses decided: 1 of 2`,
  ]);
  // It could not begin, and says that.
  expect(limits({ record, withholds, clauses, info: undefined }).cutShort).toEqual([]);
});

test.each([
  ['was a counterpart', [counterpart({ status: 400 }), counterpart(SERVED)]],
  ['has no counterpart beside it', [answered(SERVED, CHAT)]],
])('is not cut short where the accepted chat %s', (_what, record) => {
  expect(limits({ record }).cutShort).toEqual([]);
});

test('says what a cap has left out, and which option gives it room', () => {
  const left: ClauseResult = { ...clause('not-exercised'), id: 'STR-2', reason: `not sent: ${reason}` };
  const text = 'not checked for lack of completions: STR-2; raise --max-completions';
  const of = (...clauses: readonly ClauseResult[]) => limits({ clauses }).warnings;
  expect(of(clause('pass'), left)).toContain(text);
  expect(of(clause('fail'), left)).toContain(`${text}, or fix the failures first`);
  expect(of(clause('fail'))).toEqual([]);
});

const reason = 'the cap of 80 completions was reached';

const STATED = { id: 'stated', level: 'stated', clauses: ['REQ-6'], verdict: 'fail' } as const;
const OPEN = { id: 'open', level: 'open', clauses: ['ERR-9'], verdict: 'inconclusive' } as const;

test.each([
  ['open points', [OPEN], [], 'open'],
  ['known failures', [STATED], ['stated'], 'stated'],
  ['known failures and open points', [STATED, OPEN], ['stated'], 'stated open'],
  ['a clause that a service must keep', [OPEN, STATED], [], undefined],
  ['a failure that is not known', [STATED, { ...STATED, id: 'other' }], ['stated'], undefined],
  ['no check', [], [], undefined],
])('warns of a cap, or is cut short by it, where it left out %s', (_, capped, known, ids) => {
  expect(partedCuts([reason, 'interrupted'], capped, new Set(known))).toEqual(
    ids === undefined
      ? { cutShort: [reason, 'interrupted'], warnings: [] }
      : {
          cutShort: ['interrupted'],
          warnings: [`${reason}: open points and known failures got fewer inputs (${ids})`],
        },
  );
});

test('is cut short by a cap that left a pinned point without a comparison', () => {
  const pins = { 'error.status.unknown_model': 404 };
  const outcome = (verdict: Verdict, ...met: readonly string[]) =>
    partedCuts([reason], [{ ...OPEN, verdict }], new Set(), { pins, met }).cutShort;
  expect([outcome('observed'), outcome('observed', 'error.code')]).toEqual([[reason], [reason]]);
  expect([outcome('pass'), outcome('observed', ...Object.keys(pins))]).toEqual([[], []]);
});

test('tells a cap that a run met from an input that alone asks for too much', () => {
  expect(namesCap(`not sent: ${reason}`)).toBe(true);
  expect(namesCap('it asks for 9007199254740992 output tokens, and the cap is 16')).toBe(false);
});
