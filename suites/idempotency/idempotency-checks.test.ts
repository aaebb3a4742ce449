import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import { kindsOf, REFUSED, rulingsOf, SERVED } from '../engine/test-support/rulings.ts';
import { freshKeyServed, keyUsesObserved } from './keys-used.ts';

/** Answers each request in its turn, the last answer again and again. */
const inTurn = (...answers: readonly object[]) => {
  let turn = 0;
  return () => answers[Math.min(turn++, answers.length - 1)] ?? {};
};

test('fresh-key-served: holds given a service that serves an equal request again', async () => {
  expect(await kindsOf(freshKeyServed, () => SERVED)).toEqual(['holds']);
});

test('fresh-key-served: is violated given a service that refuses what it has served before', async () => {
  const seen = new Set<unknown>();
  const service = ({ body }: Draft) => {
    const again = seen.has(body);
    seen.add(body);
    return again ? REFUSED : SERVED;
  };
  expect(await kindsOf(freshKeyServed, service)).toEqual(['violated']);
});

test.each([
  ['reads the first 12 characters of a key only', (key: string) => key.slice(0, 12)],
  ['reads the first 35 characters of a key only', (key: string) => key.slice(0, 35)],
  ['does not distinguish cases in a key', (key: string) => key.toLowerCase()],
])('fresh-key-served: is violated given a service that %s', async (_, read) => {
  const chats = new Map<string, unknown>();
  const service = ({ body, idempotencyKey }: Draft) => {
    if (typeof idempotencyKey !== 'object' || !('made' in idempotencyKey)) return SERVED;
    const key = read(idempotencyKey.made());
    const first = chats.get(key) ?? body;
    chats.set(key, first);
    return first === body ? SERVED : REFUSED;
  };
  expect(await kindsOf(freshKeyServed, service)).toEqual(['violated']);
});

const USED = { choices: [{ message: { content: 'Hi.' } }], usage: { prompt_tokens: 9 } };

test.each([
  ['violated', 'of the request before, with the same count of its input', USED],
  ['holds', 'of the same text, and another count of its input', { ...USED, usage: { prompt_tokens: 25 } }],
])('fresh-key-served: is %s given the answer %s', async (kind, _, last) => {
  const service = inTurn({ body: { ...USED, id: 1 } }, { body: USED }, { body: last });
  expect(await kindsOf(freshKeyServed, service)).toEqual([kind]);
});

test('fresh-key-served: holds given answers that are all alike and count no input', async () => {
  expect(await kindsOf(freshKeyServed, () => SERVED)).toEqual(['holds']);
});

test('fresh-key-served: shows the request that was refused', async () => {
  const rulings = await rulingsOf(freshKeyServed, inTurn(SERVED, SERVED, REFUSED));
  expect(rulings).toMatchObject([{ kind: 'violated', finding: { exchange: 2 } }]);
  const [second] = await rulingsOf(freshKeyServed, inTurn(SERVED, REFUSED));
  expect(second).toMatchObject({ kind: 'violated', finding: { exchange: 1 } });
});

test('fresh-key-served: is inconclusive given a workspace without credit', async () => {
  expect(await kindsOf(freshKeyServed, () => ({ status: 402 }))).toEqual(['inconclusive']);
});

/** What is observed of a use of a key given these answers to its requests. */
async function observation(use: string, ...answers: readonly object[]) {
  const given = { ...keyUsesObserved.given, inputs: () => ({ examples: [use] }) };
  const [ruling] = await rulingsOf({ ...keyUsesObserved, given }, inTurn(...answers));
  return ruling?.kind === 'observed' ? ruling.observations[0]?.value : ruling?.kind;
}

const OTHER = { body: { choices: [{ message: { content: 'Hello.' } }] } };

test.each([
  ['missing', [SERVED], 'served'],
  ['missing', [REFUSED], 'refused'],
  ['repeated_same', [SERVED, SERVED, OTHER], 'replayed'],
  ['repeated_same', [SERVED, SERVED, SERVED], 'not-exercised'],
  ['repeated_same', [SERVED, OTHER], 'served_again'],
  ['repeated_other', [SERVED, REFUSED, SERVED], 'refused'],
  ['in_flight', [REFUSED, SERVED], 'refused'],
  ['in_flight', [SERVED, SERVED], 'not-exercised'],
  ['in_flight', [{ ...SERVED, endedAt: 60 }, SERVED], 'not-exercised'],
  ['in_flight', [{ ...SERVED, endedAt: 90 }, { ...SERVED, endedAt: 90 }, OTHER], 'replayed'],
  ['repeated_same', [REFUSED, REFUSED, SERVED], 'not-exercised'],
  ['repeated_same', [SERVED, { status: 500 }, SERVED], 'inconclusive'],
])('idempotency-keys: at %s, given %j, %s', async (use, answers, expected) => {
  expect(await observation(use, ...answers)).toBe(expected);
});

test('idempotency-keys: uses the key of the smallest chat again, one key twice at once, and none', async () => {
  const keys: Draft['idempotencyKey'][] = [];
  await rulingsOf(keyUsesObserved, ({ idempotencyKey, body }) => {
    keys.push(idempotencyKey);
    return String(body).includes('temperature') ? REFUSED : SERVED;
  });
  expect(keys.filter((key) => key === 'none')).toHaveLength(2);
  const exact = keys.flatMap((key) => (typeof key === 'object' && 'exactly' in key ? key.exactly : []));
  expect([exact.length, new Set(exact).size]).toEqual([4, 2]);
});
