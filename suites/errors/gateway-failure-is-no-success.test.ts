import { expect, test } from 'vitest';
import { answered } from '../engine/test-support/exchange.ts';
import { REFUSED, ruled, SERVED } from '../engine/test-support/rulings.ts';
import { gatewayFailureIsNoSuccess } from './armed-losses.ts';
import { lossTrial, lost } from './test-support/armed-trials.ts';

const ruling = (...trial: Parameters<typeof lossTrial>) =>
  ruled(gatewayFailureIsNoSuccess, lossTrial(...trial));

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

test.each<[string, string, Parameters<typeof lossTrial>[0]]>([
  ['not-exercised', 'another fault', { fault: 'timeout', exchanges: [answered(SERVED)] }],
  ['inconclusive', 'a fault that did not trigger', { fired: 0, exchanges: [answered(SERVED)] }],
  ['inconclusive', 'a loss without a fault that triggered', { fired: 0 }],
])('%s given %s', (kind, _, trial) => {
  expect(ruling(trial).kind).toBe(kind);
});
