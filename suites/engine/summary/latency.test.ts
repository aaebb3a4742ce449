import { expect, test } from 'vitest';
import { type Exchange, PRIMARY } from '../model/exchange.ts';
import { answerTimes, latencyOf } from './latency.ts';

function answered(path: string, status: number, ms: number, contentType = 'application/json'): Exchange {
  const method = path === '/chat/completions' ? 'POST' : 'GET';
  const headers = { 'content-type': contentType };
  const answer = { status, headers, body: new Uint8Array(), pieces: [], headersAt: ms, endedAt: ms };
  const request = { method, path, headers: {}, credential: PRIMARY, body: undefined };
  return { id: `x/${ms}/0`, request, outcome: { kind: 'answered', answer } };
}

const CHAT = '/chat/completions';
const twenty = Array.from({ length: 20 }, (_, i) => answered(CHAT, 200, 20 - i + 0.04));
const notSent: Exchange = { ...answered(CHAT, 200, 500), outcome: { kind: 'not-sent', reason: 'cap' } };
const armed: Exchange = { ...answered(CHAT, 503, 900), armed: 'refusal' };

test('returns the median and the 95th percentile of each endpoint and result, in milliseconds', () => {
  const record = [
    ...twenty,
    notSent,
    armed,
    answered(CHAT, 200, 31.26, 'text/event-stream'),
    answered(CHAT, 400, 2),
    answered(CHAT, 502, 3),
    answered('/models', 200, 1),
    answered('/elsewhere', 404, 700),
  ];
  expect(latencyOf(record).latency).toEqual([
    { endpoint: 'GET /models', result: 'served', answers: 1, p50: 1, p95: 1 },
    { endpoint: 'POST /chat/completions', result: 'served', answers: 20, p50: 10, p95: 19 },
    { endpoint: 'POST /chat/completions', result: 'streamed', answers: 1, p50: 31.3, p95: 31.3 },
    { endpoint: 'POST /chat/completions', result: 'refused', answers: 1, p50: 2, p95: 2 },
    { endpoint: 'POST /chat/completions', result: 'failed', answers: 1, p50: 3, p95: 3 },
  ]);
});

test('returns nothing given a run without an answer', () => {
  expect(latencyOf([notSent])).toEqual({});
  expect(answerTimes([notSent, answered(CHAT, 200, 4), answered(CHAT, 200, 3)])).toBe(7);
});
