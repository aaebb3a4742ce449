import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../kit/test-support/exchange.ts';
import { REFUSED, SERVED } from '../kit/test-support/rulings.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { gatewayFailureIsNoSuccess } from './gateway-failure-is-no-success.ts';
import { lossTrial, lost } from './test-support/armed-trials.ts';

const { holds, tellsUncertain } = gatewayFailureIsNoSuccess;
const ruling = (...trial: Parameters<typeof lossTrial>) => holds(lossTrial(...trial), infoForTest());

test.each([
  ['the page of a gateway', lost({ status: 504, body: '<html>' })],
  ['a refusal that broke off', lost({ status: 400 })],
  ['a failure', answered({ status: 500 })],
  ['a refusal', answered(REFUSED)],
])('holds given %s', (_, exchange) => {
  expect(ruling({ exchanges: [exchange] })).toEqual({ kind: 'holds' });
});

const chunk = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const HELLO = chunk({ content: 'Hello.' }, null);
const END = chunk({}, 'stop');

test.each<[string, AnswerForTest]>([
  ['a completion', SERVED],
  ['a stream of text that says why it ends', { body: HELLO + END }],
])('is violated given %s', (_, answer) => {
  expect(ruling({ exchanges: [answered(answer)] })).toMatchObject({
    kind: 'violated',
    finding: { code: 'served' },
  });
});

test.each([
  ['no answer at all', lost()],
  ['a success that broke off', lost(SERVED)],
  ['a redirection that broke off', lost({ status: 399 })],
  ['an unrecognised answer', answered({ body: 'Hm.' })],
  ['a stream that never says why it ends', answered({ body: HELLO })],
  ['a stream without text', answered({ body: END })],
  ['a stream of nothing but a comment', answered({ body: ': wait\n\n' })],
])('is inconclusive given %s', (_, exchange) => {
  expect(ruling({ exchanges: [exchange] }).kind).toBe('inconclusive');
});

test('says the same where the outcome of the request is uncertain', () => {
  const trials = [lossTrial(), lossTrial({ exchanges: [lost()] }), lossTrial({ fired: 0 })];
  expect(trials.map((trial) => tellsUncertain?.(trial, infoForTest())?.kind)).toEqual([
    'holds',
    'inconclusive',
    'inconclusive',
  ]);
});

test('judges gateway failures only', () => {
  expect(ruling({ fault: 'timeout', exchanges: [answered(SERVED)] }).kind).toBe('not-exercised');
});

test('is inconclusive given a fault that did not trigger, or no answer to the same chat without it', () => {
  expect(ruling({ fired: 0, exchanges: [answered(SERVED)] }).kind).toBe('inconclusive');
  expect(ruling({ counterpart: lost() }).kind).toBe('inconclusive');
});

test('is not exercised given a counterpart that was refused, and given none', () => {
  expect(ruling({ counterpart: answered(REFUSED) }).kind).toBe('not-exercised');
  const { counterpart: _, ...withoutCounterpart } = lossTrial();
  expect(holds(withoutCounterpart, infoForTest()).kind).toBe('not-exercised');
  expect(ruling({ exchanges: [] }).kind).toBe('not-exercised');
});
