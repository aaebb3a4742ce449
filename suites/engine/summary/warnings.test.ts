import { expect, test } from 'vitest';
import { refusedChats } from '../inputs/provoking/chat-drafts.ts';
import type { CheckResult, ClauseResult, Verdict } from '../model/summary.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { namesCap, partedCuts } from './caps-met.ts';
import { type Circumstances, provesLittle, warningsOf } from './warnings.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const SERVED: AnswerForTest = { body: { choices: [{ message: { content: 'Hi.' } }] } };
const STREAMED: AnswerForTest = {
  headers: { 'content-type': 'text/event-stream' },
  body: 'data: [DONE]\n\n',
};

const counterpart = (answer: AnswerForTest, stream = false) => ({
  ...answered(answer, { ...CHAT, ...(stream && { stream }) }),
  id: 'control/0123',
});

function clause(verdict: Verdict, checks: readonly string[] = ['some-check']): ClauseResult {
  return { id: 'STR-1', bound: 'service', level: 'stated', verdict, checks, reason: '' };
}

function warnings(more: Partial<Circumstances> = {}): string[] {
  return warningsOf({
    record: FIRST,
    clauses: [clause('pass')],
    info: infoForTest(),
    withholds: undefined,
    draws: { begun: 9, cut: 0 },
    ...more,
  });
}

/** Why the run is incomplete. */
function little(record: Circumstances['record'], more: Partial<Circumstances> = {}): string {
  const circumstances = { clauses: [], info: infoForTest(), withholds: undefined, ...more };
  return provesLittle({ ...circumstances, record }).join();
}

const FIRST = [counterpart(SERVED), counterpart(STREAMED, true)];
const ONE_MODEL = infoForTest({ models: [{ id: 'm' }] });

test('has nothing to say of a run that says all it can', () => {
  expect(warnings()).toEqual([]);
  const unasked = { record: [counterpart(SERVED), counterpart(SERVED, true)] };
  expect(warnings({ ...unasked, clauses: [clause('not-exercised', [])] })).toEqual([]);
});

test.each<[Partial<Circumstances>, string]>([
  [
    { record: [counterpart({ status: 401 }), counterpart({ status: 403 }, true)] },
    'all 2 chats that a conforming service accepts were answered with 401',
  ],
  [
    { record: [counterpart({ status: 402 }), counterpart({ status: 500 })] },
    'refused or failed (status 402, 500)',
  ],
  [{ record: [counterpart(SERVED), counterpart(SERVED, true)] }, 'no stream was received'],
  [{ clauses: [clause('not-exercised')] }, '1 of 1 clauses were never exercised: STR-1'],
  [{ clauses: [clause('inconclusive')] }, 'inconclusive: STR-1'],
  [{ info: ONE_MODEL }, 'only one model'],
  [{ draws: { begun: 40, cut: 12 } }, '12 of 40 draws were sent only in part'],
  [{ record: [...FIRST, counterpart({ status: 429 })] }, 'refused 1 of 3 requests'],
  [{ withholds: 'completions', record: [] }, 'no completions were requested'],
])('warns of %j: %s', (run, words) => {
  expect(warnings(run)[0]).toContain(words);
});

test('counts no chat that is refused for a plain reason among those that a conforming service accepts', () => {
  const compared = Object.values(refusedChats(infoForTest())).map(({ body }) => ({
    ...answered({ status: 400 }, String(body)),
    id: 'control/4567',
  }));
  const record = [counterpart({ status: 401 }), counterpart({ status: 403 }, true), ...compared];
  expect(warnings({ record })[0]).toContain('all 2 chats that a conforming service accepts');
});

test('warns of answers of which a part is not kept, or is cut short by many of them', () => {
  const whole = { bytes: 9_000_000, sha256: '0' };
  const cut = counterpart({ ...SERVED, whole });
  const record = [...Array.from({ length: 9 }, () => counterpart(SERVED)), cut];
  expect(little(record)).toBe('');
  expect(warnings({ record }).join()).toContain('1 of 10 answers were not kept whole');
  expect(little([...record, cut])).toContain('2 of 11 answers were not kept whole');
  expect(warnings({ record: [...record, cut] }).join()).not.toContain('kept whole');
});

test('warns of credits that were used up, or is cut short by them, unless a fault was armed that says so', () => {
  const refused = counterpart({ status: 402 });
  const armed = { ...refused, armed: 'refusal' as const };
  const served = Array.from({ length: 10 }, () => counterpart(SERVED));
  const words = 'requests were refused for lack of credits';
  const record = [...served, refused, armed];
  expect(warnings({ record })).toContainEqual(expect.stringContaining(`1 of 12 ${words}`));
  expect(little(record)).toBe('');
  expect(little([...record, refused])).toContain(`2 of 13 ${words}`);
  expect(warnings({ record: [...record, refused] })).not.toContainEqual(expect.stringContaining(words));
});

const REFUSED = answered({ status: 400 }, CHAT);
const UNSENT = { ...counterpart(SERVED), outcome: { kind: 'not-sent', reason: 'withheld' } } as const;

test.each([
  ['every acceptable chat was refused', [counterpart({ status: 302 })], undefined, ''],
  [
    'only a chat that must be refused was accepted',
    [counterpart({ status: 400 }), answered(SERVED, CHAT)],
    undefined,
    '',
  ],
  [
    'only refusals were sent',
    [REFUSED, UNSENT],
    'completions',
    ', since this run sends only chats that must be refused',
  ],
  ['only models were read', [], undefined, ', since none was sent'],
] as const)(
  'says that no chat was accepted, and how much was decided, where %s',
  (_what, record, withholds, why) => {
    const clauses = [clause('pass'), clause('inconclusive'), clause('not-exercised', [])];
    expect(little(record, { withholds, clauses })).toBe(
      `no chat was accepted${why}: nothing is known about completions; 1 of 2 clauses were decided`,
    );
    // It could not begin, and says that.
    expect(little(record, { withholds, clauses, info: undefined })).toBe('');
  },
);

test.each([
  ['was a counterpart', [counterpart({ status: 400 }), counterpart(SERVED)]],
  ['has no counterpart beside it', [answered(SERVED, CHAT)]],
])('does not say so where the accepted chat %s', (_what, record) => {
  expect(little(record)).toBe('');
});

test('says what a cap has left out, and which option gives it room', () => {
  const unsent = (reason: string) => ({ ...answered(), outcome: { kind: 'not-sent', reason } as const });
  const capped = 'the cap of 80 completions was reached';
  const left: ClauseResult = { ...clause('not-exercised'), id: 'STR-2', reason: `not sent: ${capped}` };
  const record = [
    counterpart(SERVED),
    counterpart(STREAMED, true),
    ...Array.from({ length: 25 }, () => unsent(capped)),
    unsent('the cap of 300 requests was reached'),
  ];
  expect(warnings({ record, clauses: [clause('pass'), left] })).toContain(
    'not checked for lack of completions: STR-2; run again with --max-completions 120',
  );
  expect(warnings({ record, clauses: [clause('fail'), left] })).toContain(
    'not checked for lack of completions: STR-2; run again with --max-completions 120, or fix the failures first',
  );
  expect(warnings({ record, clauses: [clause('fail')] })).toEqual([]);
});

const reason = 'the cap of 80 completions was reached';

const cut = (level: CheckResult['level']) =>
  ({
    id: `a-check-of-a-${level}-clause`,
    level,
    clauses: [level === 'open' ? 'IDEM-4' : 'STR-1'] as const,
    verdict: level === 'open' ? 'observed' : 'pass',
  }) satisfies Parameters<typeof partedCuts>[1][number];

const NONE = { met: new Set<string>() };

test('is cut short by a cap, unless that only left open points with fewer observations', () => {
  expect(partedCuts([reason, 'interrupted'], [cut('open')], NONE)).toEqual({
    cutShort: ['interrupted'],
    curtailed: [`${reason}: open points were observed with fewer inputs (a-check-of-a-open-clause)`],
  });
  expect(partedCuts([reason], [cut('open'), cut('stated')], NONE).cutShort).toEqual([reason]);
});

test('tells a cap that a run met from an input that alone asks for too much', () => {
  expect(namesCap(`not sent: ${reason}`)).toBe(true);
  expect(namesCap('it asks for 9007199254740992 output tokens, and the cap is 16')).toBe(false);
});

test('is cut short by no cap that only left out known failures, and warns of them', () => {
  const known = new Set(['a-check-of-a-stated-clause']);
  const text = `${reason}: known failures were not all sent again (a-check-of-a-stated-clause)`;
  expect(partedCuts([reason], [cut('stated')], { ...NONE, known })).toEqual({
    cutShort: [],
    curtailed: [text],
  });
  expect(partedCuts([reason], [cut('stated'), cut('open')], { ...NONE, known }).curtailed).toHaveLength(2);
  expect(partedCuts([reason], [cut('stated'), cut('implied')], { ...NONE, known }).cutShort).toEqual([
    reason,
  ]);
});

test('is cut short by a cap given a profile only where a check compared none of its pinned points', () => {
  const pins = { 'error.code': '/code', 'idempotency.missing': 'served', 'idempotency.in_flight': 'refused' };
  const compared = { ...cut('open'), verdict: 'pass' } as const;
  const met = new Set(['idempotency.missing']);
  expect(partedCuts([reason], [compared], { pins, met })).toEqual({
    cutShort: [],
    curtailed: [
      `${reason}: open points were observed with fewer inputs (a-check-of-a-open-clause); pinned, but not compared: idempotency.in_flight`,
    ],
  });
  expect(partedCuts([reason], [cut('open')], { pins, met }).cutShort).toEqual([reason]);
  expect(partedCuts([reason], [compared, cut('stated')], { pins, met }).cutShort).toEqual([reason]);
  const others = { pins: { 'error.code': '/code' }, met };
  expect(partedCuts([reason], [cut('open')], others).cutShort).toEqual([]);
});
