import { expect, test } from 'vitest';
import { smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import type { Check } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { judgeInvariants } from '../engine/running/judge-invariants.ts';
import { answered } from '../engine/test-support/exchange.ts';
import {
  REFUSED,
  SERVED,
  kindsOf,
  senderForTest,
  ruled,
  rulingsOf,
  servingCore,
} from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { neverHangsUp } from './every-answer.ts';
import {
  deepBodiesSurvived,
  everyScriptSurvived,
  keylessNearAddressRefused,
  malformedBodiesSurvived,
  oddChatsSurvived,
} from './odd-requests-survived.ts';

const BROKE = 'the connection broke: UND_ERR_SOCKET';

/** Whether a service is blamed that leaves the first so many of what is sent beside counterparts without an answer. */
async function blamed(
  { check, input, chosen }: { check: Check; input: unknown; chosen: (draft: Draft) => boolean },
  times: number,
  reason = BROKE,
): Promise<{ sent: number; isBlamed: boolean }> {
  const sender = senderForTest(() => SERVED);
  const sent: Exchange[] = [];
  const send = async (draft: Draft): Promise<Exchange> => {
    const exchange = await sender.send(draft);
    if (!chosen(draft)) return exchange;
    const isBroken = sent.length < times;
    sent.push({ ...exchange, ...(isBroken && { outcome: { kind: 'uncertain', reason } }) });
    return sent.at(-1) ?? exchange;
  };
  await check.given.send(input, { ...sender, send, sendCounterpart: send }, infoForTest());
  const [judged] = judgeInvariants([neverHangsUp], sent, infoForTest());
  return { sent: sent.length, isBlamed: (judged?.rulings.length ?? 0) > 0 };
}

const bodyOf = (body: string, as: { isObject?: true } = {}) => ({
  check: malformedBodiesSurvived,
  input: { label: 'a body', body, ...as },
  chosen: (draft: Draft) => String(draft.body).startsWith(body),
});
const CHAT = { ...smallestChat(infoForTest()), messages: [{ role: 'user', content: 'Grüß dich.' }] };
const ofText = (check: Check, input: unknown) => ({
  check,
  input,
  chosen: ({ body }: Draft) => String(body).includes('Grüß'),
});

test.each([
  bodyOf('model='),
  ofText(everyScriptSurvived, CHAT),
  ofText(oddChatsSurvived, { chat: CHAT, points: [], alone: [] }),
])(
  'never-hangs-up: blames a service that breaks two connections in a row, and no chance: $check.id',
  async (of) => {
    expect(await blamed(of, 2)).toEqual({ sent: 2, isBlamed: true });
    expect(await blamed(of, 1)).toEqual({ sent: 2, isBlamed: false });
    expect(await blamed(of, 2, 'no complete answer within 5 ms')).toEqual({ sent: 1, isBlamed: false });
  },
);

test('never-hangs-up: asks but once with a body that might be served, and again after a deep one that got no answer', async () => {
  const object = bodyOf('{"model":"small","max_tokens":-0}', { isObject: true });
  expect(await blamed(object, 2)).toEqual({ sent: 1, isBlamed: false });
  const deep = { ...bodyOf('[[['), check: deepBodiesSurvived };
  expect(await blamed(deep, 2, 'no complete answer within 5 ms')).toEqual({ sent: 2, isBlamed: true });
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

test.each([
  ['a completion', SERVED, 'violated'],
  ['the models', { body: { data: [{ id: 'small' }] } }, 'violated'],
  [
    'an error that names the model',
    { status: 404, body: { error: { message: 'small?', model: 'small' } } },
    'holds',
  ],
  ['a page that names no model', { body: '<p>Hello.</p>' }, 'holds'],
] as const)(
  'missing-key-near-address-refused: given %s without a key, %j, is %s',
  async (_, answer, kind) => {
    expect(await kindsOf(keylessNearAddressRefused, servingCore(answer))).toEqual(['not-exercised', kind]);
  },
);
