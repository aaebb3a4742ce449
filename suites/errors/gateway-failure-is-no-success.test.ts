import { expect, test } from 'vitest';
import { answered } from '../engine/test-support/exchange.ts';
import { REFUSED, SERVED } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { gatewayFailureIsNoSuccess } from './gateway-failure-is-no-success.ts';
import { lossTrial, lost } from './test-support/armed-trials.ts';

const { holds, tellsUncertain } = gatewayFailureIsNoSuccess;
const ruling = (...trial: Parameters<typeof lossTrial>) => holds(lossTrial(...trial), infoForTest());

const chunk = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const HELLO = chunk({ content: 'Hello.' }, null);
const END = chunk({}, 'stop');

test.each([
  ['holds', 'the page of a gateway', lost({ status: 504, body: '<html>' })],
  ['holds', 'a refusal that broke off', lost({ status: 400 })],
  ['holds', 'a failure', answered({ status: 500 })],
  ['holds', 'a refusal', answered(REFUSED)],
  ['violated', 'a completion', answered(SERVED)],
  ['violated', 'a stream of text that says why it ends', answered({ body: HELLO + END })],
  ['inconclusive', 'no answer at all', lost()],
  ['inconclusive', 'a success that broke off', lost(SERVED)],
  ['inconclusive', 'a redirection that broke off', lost({ status: 399 })],
  ['inconclusive', 'an unrecognised answer', answered({ body: 'Hm.' })],
  ['inconclusive', 'a stream that never says why it ends', answered({ body: HELLO })],
  ['inconclusive', 'a stream without text', answered({ body: END })],
  ['inconclusive', 'a stream of nothing but a comment', answered({ body: ': wait\n\n' })],
])('%s given %s', (kind, _, exchange) => {
  const finding = { code: 'served' };
  expect(ruling({ exchanges: [exchange] })).toMatchObject({ kind, ...(kind === 'violated' && { finding }) });
});

test('says the same where the outcome of the request is uncertain', () => {
  const trials = [lossTrial(), lossTrial({ exchanges: [lost()] }), lossTrial({ fired: 0 })];
  expect(trials.map((trial) => tellsUncertain?.(trial, infoForTest())?.kind)).toEqual([
    'holds',
    'inconclusive',
    'inconclusive',
  ]);
});

test.each<[string, string, Parameters<typeof lossTrial>[0]]>([
  ['not-exercised', 'another fault', { fault: 'timeout', exchanges: [answered(SERVED)] }],
  ['not-exercised', 'a counterpart that was refused', { counterpart: answered(REFUSED) }],
  ['not-exercised', 'no request', { exchanges: [] }],
  ['inconclusive', 'a fault that did not trigger', { fired: 0, exchanges: [answered(SERVED)] }],
  ['inconclusive', 'no answer to the same chat without it', { counterpart: lost() }],
])('%s given %s', (kind, _, trial) => {
  expect(ruling(trial).kind).toBe(kind);
});

test('is not exercised given no counterpart', () => {
  const { counterpart: _, ...withoutCounterpart } = lossTrial();
  expect(holds(withoutCounterpart, infoForTest()).kind).toBe('not-exercised');
});
