import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import { kindsOf, REFUSED, rulingsOf, SERVED, type ServiceForTest } from '../engine/test-support/rulings.ts';
import { freshKeyServed, keyUsesObserved } from './keys-used.ts';

/** Answers each request in its turn, the last answer again and again. */
const inTurn = (...answers: readonly object[]) => {
  let turn = 0;
  return () => answers[Math.min(turn++, answers.length - 1)] ?? {};
};

/** Refuses a body that it has served before. */
function servingOnce() {
  const seen = new Set<unknown>();
  return ({ body }: Draft) => {
    const again = seen.has(body);
    seen.add(body);
    return again ? REFUSED : SERVED;
  };
}

/** Takes two keys for one key, of which it reads only this. */
function reading(read: (key: string) => string) {
  const chats = new Map<string, unknown>();
  return ({ body, idempotencyKey }: Draft) => {
    if (typeof idempotencyKey !== 'object' || !('made' in idempotencyKey)) return SERVED;
    const key = read(idempotencyKey.made());
    const first = chats.get(key) ?? body;
    chats.set(key, first);
    return first === body ? SERVED : REFUSED;
  };
}

const USED = { choices: [{ message: { content: 'Hi.' } }], usage: { prompt_tokens: 9 } };
const usedBefore = (last: object) => inTurn({ body: { ...USED, id: 1 } }, { body: USED }, { body: last });

test.each<[string, string, ServiceForTest]>([
  ['holds', 'serves an equal request again', () => SERVED],
  ['violated', 'refuses what it has served before', servingOnce()],
  ['violated', 'reads the first 12 characters of a key only', reading((key) => key.slice(0, 12))],
  ['violated', 'reads the first 35 characters of a key only', reading((key) => key.slice(0, 35))],
  ['violated', 'does not distinguish cases in a key', reading((key) => key.toLowerCase())],
  ['violated', 'gives the answer before, with the same count of its input', usedBefore(USED)],
  ['holds', 'counts another input', usedBefore({ ...USED, usage: { prompt_tokens: 25 } })],
  ['inconclusive', 'has no credit left', () => ({ status: 402 })],
])('fresh-key-served: is %s given a service that %s', async (kind, _, service) => {
  expect(await kindsOf(freshKeyServed, service)).toEqual([kind]);
});

test('fresh-key-served: shows the request that was refused', async () => {
  const rulings = await rulingsOf(freshKeyServed, inTurn(SERVED, SERVED, REFUSED));
  expect(rulings).toMatchObject([{ kind: 'violated', finding: { exchange: 2 } }]);
  const [second] = await rulingsOf(freshKeyServed, inTurn(SERVED, REFUSED));
  expect(second).toMatchObject({ kind: 'violated', finding: { exchange: 1 } });
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
