import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import type { Sender } from '../engine/model/stimulus.ts';
import { answered } from '../engine/test-support/exchange.ts';
import {
  REFUSED,
  SERVED,
  senderForTest,
  ruled,
  rulingsOf,
  servingCore,
} from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { everyScriptSurvived, malformedBodiesSurvived, oddChatsSurvived } from './odd-requests-survived.ts';

const BROKE = 'the connection broke: UND_ERR_SOCKET';

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

async function told(times: number, body: string, reason?: string, as: { isObject?: true } = {}) {
  const { sender, sent } = hangingUp(times, reason);
  const trial = await malformedBodiesSurvived.given.send(
    { label: 'a body', body, ...as },
    sender,
    infoForTest(),
  );
  return { sent: sent(), kind: ruled(malformedBodiesSurvived, trial).kind };
}

test('violated given a service that hangs up twice on what is no chat', async () => {
  expect(await told(2, '{"model":')).toEqual({ sent: 2, kind: 'violated' });
});

test('decides nothing given a connection that broke once, or a timeout', async () => {
  const kind = 'inconclusive';
  expect(await told(1, '{"model":')).toEqual({ sent: 2, kind });
  expect(await told(2, '{"model":', 'no complete answer within 5 ms')).toEqual({ sent: 1, kind });
});

test('asks but once with a body that might be served', async () => {
  const body = '{"model":"small","max_tokens":-0}';
  expect(await told(2, body, BROKE, { isObject: true })).toEqual({
    sent: 1,
    kind: 'inconclusive',
  });
});

const broken: Exchange = { ...answered(), outcome: { kind: 'uncertain', reason: BROKE } };

test('names what is wrong with a service that hangs up', () => {
  const trial = { exchanges: [broken, broken], counterpart: answered(SERVED) };
  expect(ruled(malformedBodiesSurvived, trial)).toMatchObject({ finding: { code: 'hung-up' } });
});

test('decides nothing given a connection that broke inside an answer', () => {
  const { outcome } = answered(SERVED);
  const received = outcome.kind === 'answered' ? { answer: outcome.answer } : {};
  const begun: Exchange = { ...broken, outcome: { kind: 'uncertain', reason: BROKE, ...received } };
  const trial = { exchanges: [begun, begun], counterpart: answered(SERVED) };
  expect(ruled(malformedBodiesSurvived, trial).kind).toBe('inconclusive');
});

test.each([
  ['Grüß dich.', SERVED, 'holds'],
  ['Grüß dich.', REFUSED, 'holds'],
  ['Grüß dich.', { status: 500, body: 'UnicodeEncodeError' }, 'violated'],
  ['Hi.', SERVED, 'not-exercised'],
] as const)('every-script-survived: given %s and %j, is %s', (content, answer, kind) => {
  const exchange = answered(answer, { model: 'small', messages: [{ role: 'user', content }] });
  expect(ruled(everyScriptSurvived, { exchanges: [exchange] }).kind).toBe(kind);
});

test('odd-chats-survived: shows the reason alone on which a service fails, or all of them together', async () => {
  const nul = String.raw`\u0000`;
  const failsOn = (isFailing: (body: string) => boolean) =>
    rulingsOf(oddChatsSurvived, (draft) => {
      const body = String(draft.body);
      return isFailing(body) ? { status: 500 } : servingCore(REFUSED)(draft, 'sendCounterpart');
    });
  const [alone] = await failsOn((body) => body.includes(nul));
  expect(alone).toMatchObject({ kind: 'violated', finding: { exchange: 1 } });
  const [together] = await failsOn((body) => body.includes(nul) && body.includes('"role":"system"'));
  expect(together).toMatchObject({ kind: 'violated', finding: { code: 'failed' } });
  expect(together).not.toHaveProperty('finding.exchange');
});
