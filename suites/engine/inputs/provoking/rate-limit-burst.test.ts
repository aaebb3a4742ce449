import { expect, test } from 'vitest';
import type { Draft } from '../../model/exchange.ts';
import type { Sender } from '../../model/stimulus.ts';
import { answered } from '../../test-support/exchange.ts';
import { SERVED, senderForTest } from '../../test-support/rulings.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { rateLimitBurst } from './rate-limit-burst.ts';

const LIMITED = { status: 429, body: { error: { code: 'rate_limit' } } };

const modelOf = ({ body }: Draft) => String(/"model":"(\w+)"/.exec(String(body))?.[1]);

const burst = (sender: Sender, thrifty = true) =>
  rateLimitBurst.send('burst', sender, { ...infoForTest(), thrifty });

/** Refuses what is more than `limit` requests for a slow model at once; other models answer before they overlap. */
function senderTo(limit: number, slow = 'sharp'): { sender: Sender; provoked: Draft[] } {
  const provoked: Draft[] = [];
  let inFlight = 0;
  const quick = senderForTest((draft) => ({ ...SERVED, endedAt: modelOf(draft) === slow ? 90 : 10 }));
  const provoke = async (draft: Draft) => {
    provoked.push(draft);
    await draft.hold?.();
    if (modelOf(draft) !== slow) return quick.send(draft);
    inFlight += 1;
    const isOver = inFlight > limit;
    await Promise.resolve().then(() => (inFlight -= 1));
    return isOver ? answered(LIMITED) : quick.send(draft);
  };
  return { sender: { ...quick, provoke }, provoked };
}

function statusOf({ outcome }: Awaited<ReturnType<Sender['send']>>): number | undefined {
  return outcome.kind === 'answered' ? outcome.answer.status : undefined;
}

test.each<[number, string, boolean, number, number, string?]>([
  [429, 'a limit of one', true, 1, 17],
  [429, 'the largest limit within one wave', true, 16, 17],
  [200, 'a larger one, where every completion counts', true, 17, 17],
  [429, 'a larger one, where the caps are large', false, 63, 2 * 17 + 64],
  [429, 'that of the model that seemed quicker', false, 6, 17, 'small'],
])('ends with %i given %s', async (status, _, thrifty, limit, count, slow = 'sharp') => {
  const { sender, provoked } = senderTo(limit, slow);
  const { exchanges, atOnce, stopped } = await burst(sender, thrifty);
  expect([exchanges.map(statusOf), stopped]).toEqual([[status], undefined]);
  expect([provoked.length, atOnce]).toEqual([count, limit < 17 ? 17 : Math.min(count, 64)]);
  expect(new Set(provoked.map(modelOf)).has(slow)).toBe(true);
});

/** Sends so many chats to find the slowest model, and returns them with the model of the wave. */
async function search(first: Readonly<Record<string, number>>, again: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const quick = senderForTest((draft, as) => {
    const model = modelOf(draft);
    if (as === 'send') asked.push(model);
    return { ...SERVED, endedAt: (as === 'sendCounterpart' ? first : again)[model] ?? 0 };
  });
  const models = [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }] as const;
  const provoked = new Set<string>();
  const provoke = async (draft: Draft) => {
    provoked.add(modelOf(draft));
    await draft.hold?.();
    return answered(LIMITED);
  };
  await rateLimitBurst.send('burst', { ...quick, provoke }, infoForTest({ models, thrifty: true }));
  return [asked, [...provoked]];
}

test.each([
  ['the first answers show it', { a: 10, b: 10, c: 90, d: 10 }, { c: 90 }, ['c']],
  ['others met a busy moment', { a: 300, b: 200, c: 100, d: 20 }, { a: 10, b: 10, c: 90 }, ['a', 'b', 'c']],
  ['it met a busy moment later', { a: 10, b: 10, c: 90, d: 10 }, { c: 5000 }, ['c']],
])('asks until no other model can be the slowest where %s', async (_, first, again, asked) => {
  expect(await search(first, again)).toEqual([asked, ['c']]);
});

test('says why fewer arrived given requests that were not sent', async () => {
  const { sender } = senderTo(20);
  const unsent = { ...answered(), outcome: { kind: 'not-sent', reason: 'the cap was reached' } } as const;
  let provoked = 0;
  const capped: Sender = {
    ...sender,
    provoke: async (draft) => (++provoked > 5 ? unsent : sender.provoke(draft)),
  };
  const { atOnce, stopped } = await burst(capped);
  expect([atOnce, stopped]).toEqual([5, 'the cap was reached']);
});

test('rejects with the first error, and leaves no other unheard, given a sender that fails', async () => {
  let provoked = 0;
  const failing = async (): Promise<never> => {
    provoked += 1;
    throw new Error(`failure ${provoked}`);
  };
  await expect(burst({ ...senderTo(1).sender, provoke: failing })).rejects.toThrow('failure 1');
});
