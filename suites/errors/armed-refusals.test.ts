import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../engine/test-support/exchange.ts';
import { REFUSED, ruled, SERVED } from '../engine/test-support/rulings.ts';
import { armedRateLimitError, type ArmedRefusalTrial } from './armed-refusals.ts';

function ruling(answer: AnswerForTest, more: Partial<ArmedRefusalTrial> = {}) {
  const armed = { fault: 'rate_limit', fired: 1, counterpart: answered(SERVED) } as const;
  return ruled(armedRateLimitError, { ...armed, exchanges: [answered(answer)], ...more });
}

test.each([
  ['a refusal with an error object', REFUSED],
  ['a failure with an error object', { ...REFUSED, status: 503 }],
  ['the page of a gateway', { status: 503, body: '<html>Unavailable</html>' }],
])('holds given %s', (_, answer) => {
  expect(ruling(answer)).toEqual({ kind: 'holds' });
});

test.each<[string, AnswerForTest, string]>([
  ['a completion', SERVED, 'served'],
  ['a refusal that is no JSON', { status: 400, body: 'Too many.' }, 'no-error-object'],
  ['a refusal in JSON without an error object', { status: 429, body: '["slow down"]' }, 'no-error-object'],
  ['a failure in JSON without an error object', { status: 503, body: '[false]' }, 'no-error-object'],
])('is violated given %s', (_, answer, code) => {
  expect(ruling(answer)).toMatchObject({ kind: 'violated', finding: { code } });
});

test('ignores an error inside an event stream', () => {
  const body = 'data: {"error":{"code":"rate_limit","message":"No.","request_id":"r-1"}}\n\n';
  expect(ruling({ headers: { 'content-type': 'text/event-stream' }, body }).kind).toBe('not-exercised');
});

test('is inconclusive given a fault that did not trigger, and given an unrecognised answer', () => {
  expect([ruling(SERVED, { fired: 0 }).kind, ruling({ body: 'Hm.' }).kind]).toEqual([
    'inconclusive',
    'inconclusive',
  ]);
});
