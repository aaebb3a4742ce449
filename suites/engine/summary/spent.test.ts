import { expect, test } from 'vitest';
import type { Recording } from '../journal/recording.ts';
import type { Exchange, Outcome } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { answerTimes, latencyOf, spentOn } from './spent.ts';

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

function timed(path: string, status: number, ms: number, contentType = 'application/json'): Exchange {
  const method = path === CHAT ? 'POST' : 'GET';
  return answered({ status, headers: { 'content-type': contentType }, endedAt: ms }, '', { method, path });
}

const CHAT = '/chat/completions';
const twenty = Array.from({ length: 20 }, (_, i) => timed(CHAT, 200, 20 - i + 0.04));
const notSent: Exchange = { ...timed(CHAT, 200, 500), outcome: { kind: 'not-sent', reason: 'cap' } };
const armed: Exchange = { ...timed(CHAT, 503, 900), armed: 'refusal' };

test('returns the median and the 95th percentile of each endpoint and result, in milliseconds', () => {
  const record = [
    ...twenty,
    notSent,
    armed,
    timed(CHAT, 200, 31.26, 'text/event-stream'),
    timed(CHAT, 400, 2),
    timed(CHAT, 502, 3),
    timed('/models', 200, 1),
    timed('/elsewhere', 404, 700),
  ];
  expect(latencyOf(record).latency).toEqual([
    { endpoint: 'GET /models', result: 'served', answers: 1, p50: 1, p95: 1 },
    { endpoint: 'POST /chat/completions', result: 'served', answers: 20, p50: 10, p95: 19 },
    { endpoint: 'POST /chat/completions', result: 'streamed', answers: 1, p50: 31.3, p95: 31.3 },
    { endpoint: 'POST /chat/completions', result: 'refused', answers: 1, p50: 2, p95: 2 },
    { endpoint: 'POST /chat/completions', result: 'failed', answers: 1, p50: 3, p95: 3 },
  ]);
  expect(latencyOf([notSent])).toEqual({});
  expect(answerTimes([notSent, timed(CHAT, 200, 4), timed(CHAT, 200, 3)])).toBe(7);
});
