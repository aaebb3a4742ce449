import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import type { Sender } from '../engine/model/stimulus.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { REFUSED, SERVED, senderForTest } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { everyScriptSurvived, malformedBodiesSurvived } from './odd-requests-survived.ts';

const BROKE = 'the connection broke: UND_ERR_SOCKET';
const { given, tellsUncertain } = malformedBodiesSurvived;

/** Serves the counterpart; what it is sent beside that breaks the connection `times` times, and is then refused. */
function hangingUp(times: number, reason = BROKE): { sender: Sender; sent: () => number } {
  const sender = senderForTest((_, as) => (as === 'sendCounterpart' ? SERVED : REFUSED));
  let sent = 0;
  const send = async (draft: Parameters<Sender['send']>[0]): Promise<Exchange> => {
    const exchange = await sender.send(draft);
    sent += 1;
    return sent > times ? exchange : { ...exchange, outcome: { kind: 'uncertain', reason } };
  };
  return { sender: { ...sender, send }, sent: () => sent };
}

async function told(times: number, body: string, reason?: string) {
  const { sender, sent } = hangingUp(times, reason);
  const trial = await given.send({ label: 'a body', body }, sender, infoForTest());
  return { sent: sent(), kind: tellsUncertain?.(trial, infoForTest())?.kind };
}

test('violated given a service that hangs up twice on what is no chat', async () => {
  expect(await told(2, '{"model":')).toEqual({ sent: 2, kind: 'violated' });
});

test('decides nothing given a connection that broke once, or a timeout', async () => {
  expect(await told(1, '{"model":')).toEqual({ sent: 2, kind: undefined });
  expect(await told(2, '{"model":', 'no complete answer within 5 ms')).toEqual({ sent: 1, kind: undefined });
});

test('asks but once with a body that might be served', async () => {
  expect(await told(2, '{"model":"small","max_tokens":-0}')).toEqual({ sent: 1, kind: undefined });
});

const broken: Exchange = { ...answered(), outcome: { kind: 'uncertain', reason: BROKE } };
const twice = [broken, broken];

test('names what is wrong with a service that hangs up', () => {
  const trial = { exchanges: twice, counterpart: answered(SERVED) };
  expect(tellsUncertain?.(trial, infoForTest())).toMatchObject({ finding: { code: 'hung-up' } });
});

test('decides nothing given a service that serves no counterpart', () => {
  const trial = { exchanges: twice, counterpart: answered(REFUSED) };
  expect(tellsUncertain?.(trial, infoForTest())?.kind).toBe('not-exercised');
  expect(tellsUncertain?.({ exchanges: twice, counterpart: broken }, infoForTest())).toBeUndefined();
  expect(tellsUncertain?.({ exchanges: twice }, infoForTest())).toBeUndefined();
});

test('decides nothing given a connection that broke inside an answer', () => {
  const { outcome } = answered(SERVED);
  const received = outcome.kind === 'answered' ? { answer: outcome.answer } : {};
  const begun: Exchange = { ...broken, outcome: { kind: 'uncertain', reason: BROKE, ...received } };
  const trial = { exchanges: [begun, begun], counterpart: answered(SERVED) };
  expect(tellsUncertain?.(trial, infoForTest())).toBeUndefined();
});

test.each([
  ['Grüß dich.', SERVED, 'holds'],
  ['Grüß dich.', REFUSED, 'holds'],
  ['Grüß dich.', { status: 500, body: 'UnicodeEncodeError' }, 'violated'],
  ['Hi.', SERVED, 'not-exercised'],
] as const)('every-script-survived: given %s and %j, is %s', (content, answer, kind) => {
  const exchange = answered(answer, { model: 'small', messages: [{ role: 'user', content }] });
  expect(everyScriptSurvived.holds({ exchanges: [exchange] }, infoForTest()).kind).toBe(kind);
});
