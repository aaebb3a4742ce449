import { expect, test } from 'vitest';
import type { Draft } from '../model/exchange.ts';
import type { Sender } from '../model/stimulus.ts';
import { answered } from '../test-support/exchange.ts';
import { SERVED, senderForTest } from '../test-support/rulings.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { rateLimitBurst } from './rate-limit-burst.ts';

const LIMITED = { status: 429, body: { error: { code: 'rate_limit' } } };

const modelOf = ({ body }: Draft) => String(/"model":"(\w+)"/.exec(String(body))?.[1]);

const burst = (sender: Sender) => rateLimitBurst.send('burst', sender, infoForTest());

test('ends with the exchange that met the limit', async () => {
  let provoked = 0;
  const sender = senderForTest((_, as) => (as === 'provoke' && ++provoked > 20 ? LIMITED : SERVED));
  const { exchanges } = await burst(sender);
  expect(exchanges.map(({ outcome }) => outcome.kind === 'answered' && outcome.answer.status)).toEqual([429]);
  expect(provoked).toBe(21);
});

test('has 64 requests in flight given a service that does not answer earlier', async () => {
  const sender = senderForTest(() => SERVED);
  const { promise: open, resolve } = Promise.withResolvers<void>();
  let provoked = 0;
  const { exchanges, atOnce, stopped } = await burst({
    ...sender,
    provoke: async (draft) => {
      provoked += 1;
      if (provoked === 64) resolve();
      await open;
      return sender.provoke(draft);
    },
  });
  expect([exchanges.length, atOnce, stopped]).toEqual([1, 64, undefined]);
});

test('stops, and says why, given a request that was not sent', async () => {
  const sender = senderForTest(() => SERVED);
  const unsent = { ...answered(), outcome: { kind: 'not-sent', reason: 'the cap was reached' } } as const;
  const { exchanges, atOnce, stopped } = await burst({ ...sender, provoke: async () => unsent });
  expect([exchanges, atOnce, stopped]).toEqual([[], 1, 'the cap was reached']);
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

test('rejects with the first error, and leaves no other unheard, given a sender that fails', async () => {
  const sender = senderForTest(() => SERVED);
  let provoked = 0;
  const failing = async (): Promise<never> => {
    provoked += 1;
    throw new Error(`failure ${provoked}`);
  };
  await expect(burst({ ...sender, provoke: failing })).rejects.toThrow('failure 1');
  expect(provoked).toBe(1);
});

test('hears every error given a sender that fails only later', async () => {
  const sender = senderForTest(() => SERVED);
  const { promise: open, resolve } = Promise.withResolvers<void>();
  let provoked = 0;
  const late = async (): Promise<never> => {
    provoked += 1;
    if (provoked === 64) resolve();
    await open;
    throw new Error('late');
  };
  await expect(burst({ ...sender, provoke: late })).rejects.toThrow('late');
  expect(provoked).toBe(64);
});
