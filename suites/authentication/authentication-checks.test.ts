import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import { answered, errorAnswer } from '../engine/test-support/exchange.ts';
import { kindsOf, REFUSED, rulingsOf, senderForTest, SERVED, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import {
  keyInAddressRefused,
  missingKeyRefused,
  wrongKeyRefused,
  missingScopeObserved,
  scopeRequired,
} from './keys-refused.ts';

/** A service that asks for no key at one of its paths. */
const openAt = (path: string) => (draft: Draft) => (draft.path === path ? SERVED : strict(draft));

const CHECKS = [missingKeyRefused, wrongKeyRefused, keyInAddressRefused, scopeRequired];

const FORBIDDEN = errorAnswer('no_scope', 403);

/** A service that distinguishes keys without the scope from unknown keys. */
const strict = ({ credential }: Draft) => {
  if (credential === undefined) return SERVED;
  return credential.kind === 'key' ? FORBIDDEN : REFUSED;
};

test.each(CHECKS)(
  '$id: judges what asks for a key everywhere, nowhere, and at all doors but one',
  async (check) => {
    expect(await kindsOf(check, strict)).toEqual(['holds']);
    expect(await kindsOf(check, () => SERVED)).toEqual(['violated']);
    expect(await kindsOf(check, () => REFUSED)).toEqual(['not-exercised']);
    for (const path of ['/models', '/vision-capabilities', '/chat/completions'])
      expect((await kindsOf(check, openAt(path))).toSorted()).toEqual(['holds', 'violated']);
  },
);

test('scope-required: is inconclusive given a key that is refused as an unknown one is', async () => {
  const reason =
    'the service refuses the key without the inference scope like an unknown key: is it a key of this service?';
  for (const check of [scopeRequired, missingScopeObserved]) {
    const rulings = await rulingsOf(check, ({ credential }) => (credential === undefined ? SERVED : REFUSED));
    expect(rulings).toEqual(rulings.map(() => ({ kind: 'inconclusive', reason })));
    expect(rulings).toHaveLength(4);
  }
});

const BARE = { body: 'No.' };

test.each([
  ['another code, under the same status', { ...FORBIDDEN, status: 400 }, REFUSED],
  ['another status, without an error object', { ...BARE, status: 403 }, { ...BARE, status: 401 }],
])('scope-required: holds given %s', async (_, unscoped, unknown) => {
  const service = ({ credential }: Draft) => {
    if (credential === undefined) return SERVED;
    return credential.kind === 'key' ? unscoped : unknown;
  };
  expect(await kindsOf(scopeRequired, service)).toEqual(['holds']);
});

test('scope-required: holds given a refusal without that of an unknown key beside it', () => {
  const trial = { exchanges: [answered(FORBIDDEN)], counterpart: answered(SERVED) };
  expect(ruled(scopeRequired, trial).kind).toBe('holds');
});

test('scope-required: lacks a key given none without the scope', () => {
  const { given } = scopeRequired;
  expect(given.skipReason?.(infoForTest())).toContain('CHAT_UNSCOPED_API_KEY');
  expect(given.skipReason?.(infoForTest({ keys: new Set(['primary', 'unscoped']) }))).toBeUndefined();
});

test('missing-scope-error: observes status and code given a refusal', async () => {
  const [ruling] = await rulingsOf(missingScopeObserved, strict);
  expect(ruling).toEqual({
    kind: 'observed',
    observations: [
      { point: 'error.status.missing_scope', value: 403 },
      { point: 'error.code.missing_scope', value: 'no_scope' },
    ],
  });
});
/** Where a request bears a key beside its Authorization header. */
const placeOf = ({ credential }: Draft) => (credential?.kind === 'forged' ? credential.elsewhere : undefined);

const lookingIn = (where: 'header' | 'query') => (draft: Draft) => {
  const place = placeOf(draft);
  return place !== undefined && where in place ? SERVED : strict(draft);
};

test('blames a service that looks for keys elsewhere: in other headers, and in addresses, sent by leave only', async () => {
  expect(await kindsOf(missingKeyRefused, lookingIn('header'))).toEqual(['holds', 'violated']);
  expect(await kindsOf(keyInAddressRefused, lookingIn('header'))).toEqual(['holds']);
  expect(await kindsOf(keyInAddressRefused, lookingIn('query'))).toEqual(['violated']);
  expect(await kindsOf(missingKeyRefused, lookingIn('query'))).toEqual(['holds']);
  expect(keyInAddressRefused.given.stage).toBe('disruptive');
});

test('begins with no key at all at each door, repeats a chat without one, and then puts one in another header', () => {
  const { examples: first } = missingKeyRefused.given.inputs(infoForTest());
  expect(first.slice(0, 6).map((input) => JSON.stringify(input))).toEqual([
    ...Array.from({ length: 4 }, () => expect.stringContaining('{"kind":"none"}')),
    expect.stringContaining('{"kind":"none"},"repeats":true'),
    expect.stringContaining('"elsewhere":{"header":"x-api-key"}'),
  ]);
});

test('missing-key-refused: repeats a chat with the body of its counterpart, and under a key of its own', async () => {
  const repetition = missingKeyRefused.given.inputs(infoForTest()).examples[4];
  const sent: Draft[] = [];
  const service = (draft: Draft) => {
    sent.push(draft);
    return SERVED;
  };
  const trial = await missingKeyRefused.given.send(repetition, senderForTest(service), infoForTest());
  const [counterpart, repeated] = sent;
  expect(repeated).toEqual({ ...counterpart, credential: { kind: 'none' } });
  expect(repeated?.idempotencyKey).toBeUndefined();
  expect(ruled(missingKeyRefused, trial).kind).toBe('violated');
});
