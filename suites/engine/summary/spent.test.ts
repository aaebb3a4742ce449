import { expect, test } from 'vitest';
import type { Recording } from '../journal/recording.ts';
import type { Exchange, Outcome } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { answerTimes, spentOn } from './spent.ts';

const LOST: Outcome = { kind: 'uncertain', reason: 'lost' };
const reporting = (usage: object): Outcome => answered({ body: { usage } }).outcome;

test.each<[string, number, Outcome, number?]>([
  ['what its answer reports', 5, reporting({ completion_tokens: 5 })],
  ['what it reports under another name', 7, reporting({ outputTokens: 7 })],
  ['what was asked for', 16, answered({ body: 'x'.repeat(99) }).outcome],
  ['no more than the bytes of its answer', 3, answered({ body: 'abc' }).outcome],
  ['what a lost one asked for', 16, LOST],
  ['no more than its model can write', 4096, LOST, 2 ** 32],
  ['nothing of a refusal', 0, answered({ status: 400 }).outcome],
])('counts %s', (_, outputTokens, outcome, asked = 16) => {
  const exchange = { ...answered({}, { model: 'small', max_tokens: asked }), outcome };
  const recording = {
    record: [exchange],
    sent: new Map([[exchange.id, '']]),
    info: infoForTest({ models: [{ id: 'small', contextTokens: 4096 }] }),
  };
  expect(spentOn(recording as unknown as Recording).outputTokens).toBe(outputTokens);
});

test('adds up how long answers took', () => {
  const timed = (endedAt: number): Exchange => answered({ endedAt });
  const notSent: Exchange = { ...timed(500), outcome: { kind: 'not-sent', reason: 'cap' } };
  expect(answerTimes([notSent, timed(4), timed(3)])).toBe(7);
});
