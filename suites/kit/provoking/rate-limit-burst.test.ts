import { expect, test } from 'vitest';
import type { Draft } from '../draft.ts';
import { answered } from '../for-test/exchange-for-test.ts';
import { rateLimitBurst } from './rate-limit-burst.ts';
import { SERVED, senderForTest } from '../for-test/rulings-for-test.ts';
import type { Sender } from '../stimulus.ts';
import { surveyForTest } from '../for-test/survey-for-test.ts';

const LIMITED = { status: 429, body: { error: { code: 'rate_limit' } } };

const modelOf = ({ body }: Draft) => String(/"model":"(\w+)"/.exec(String(body))?.[1]);

const burst = (sender: Sender) => rateLimitBurst.send('burst', sender, surveyForTest());

test('ends at the first burst that meets the limit, with the exchange that met it', async () => {
  let provoked = 0;
  const sender = senderForTest((_, as) => (as === 'provoke' && ++provoked > 20 ? LIMITED : SERVED));
  const { exchanges, atOnce } = await burst(sender);
  expect(exchanges.map(({ outcome }) => outcome.kind === 'answered' && outcome.answer.status)).toEqual([429]);
  expect([atOnce, provoked]).toEqual([32, 48]);
});

test('grows to 64 requests at once given a service without a limit', async () => {
  const { exchanges, atOnce, stopped } = await burst(senderForTest(() => SERVED));
  expect([exchanges.length, atOnce, stopped]).toEqual([1, 64, undefined]);
});

test('stops, and says why, given a request that was not sent', async () => {
  const sender = senderForTest(() => SERVED);
  const unsent = { ...answered(), outcome: { kind: 'not-sent', reason: 'the cap was reached' } } as const;
  const { exchanges, atOnce, stopped } = await burst({ ...sender, provoke: async () => unsent });
  expect([exchanges, atOnce, stopped]).toEqual([[], 16, 'the cap was reached']);
});

test('asks the model that takes longest', async () => {
  const asked: string[] = [];
  const sender = senderForTest((draft, as) => {
    if (as === 'provoke') asked.push(modelOf(draft));
    return { ...SERVED, endedAt: modelOf(draft) === 'sharp' ? 90 : 10 };
  });
  await burst(sender);
  expect(new Set(asked)).toEqual(new Set(['sharp']));
});
