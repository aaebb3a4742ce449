import { expect, test } from 'vitest';
import { builtInWorld } from '../world/built-in-world.ts';
import type { IdempotencyChoices } from '../world/world.ts';
import type { Completion } from './completion.ts';
import { IdempotencyStore } from './idempotency-store.ts';

const completion: Completion = {
  digest: 'd',
  word: 1,
  modelId: 'm',
  stream: false,
  created: 1,
  chosen: undefined,
  inputTokens: 1,
  allowedTokens: 9,
};
const refused = (kind: string): object => expect.objectContaining({ kind });

function open(choices: Partial<IdempotencyChoices> = {}): {
  store: IdempotencyStore;
  clock: { now: number };
} {
  const clock = { now: 0 };
  const store = new IdempotencyStore({ ...builtInWorld.choices.idempotency, ...choices }, () => clock.now);
  return { store, clock };
}

function serve(store: IdempotencyStore, key: string | undefined, fingerprint = 'a', workspace = 'w'): string {
  const claim = store.claim(workspace, key, fingerprint);
  if (claim.kind === 'first') store.settle(claim, completion);
  return claim.kind;
}

test('replays the stored completion given the same key and payload', () => {
  const { store } = open();
  serve(store, 'k');
  expect(store.claim('w', 'k', 'a')).toEqual({ kind: 'replay', completion });
});

test('refuses another payload under the same key', () => {
  const { store } = open();
  serve(store, 'k');
  expect(() => store.claim('w', 'k', 'b')).toThrow(refused('idempotency_mismatch'));
});

test('refuses a key whose first request is still in flight', () => {
  const { store } = open();
  store.claim('w', 'k', 'a');
  expect(() => store.claim('w', 'k', 'a')).toThrow(refused('idempotency_in_flight'));
});

test('refuses a key under review with any payload, until its claim is settled or abandoned', () => {
  for (const repeated of ['replay', 'refuse'] as const) {
    const { store, clock } = open({ repeated, retentionSeconds: 60 });
    const claim = store.claim('w', 'k', 'a');
    store.suspend(claim);
    clock.now = 1_000_000;
    for (const payload of ['a', 'b'])
      expect(() => store.claim('w', 'k', payload)).toThrow(refused('idempotency_under_review'));
    expect(serve(store, 'k', 'a', 'v')).toBe('first');
    store.abandon(claim);
    expect(serve(store, 'k', 'b')).toBe('first');
  }
  const { store } = open();
  const claim = store.claim('w', 'k', 'a');
  store.suspend(claim);
  store.settle(claim, completion);
  expect(store.claim('w', 'k', 'a')).toEqual({ kind: 'replay', completion });
});

test('serves a key again after its first request was refused', () => {
  const { store } = open();
  store.abandon(store.claim('w', 'k', 'a'));
  expect(serve(store, 'k', 'b')).toBe('first');
});

test('keeps the keys of one workspace from those of another', () => {
  const { store } = open();
  serve(store, 'k');
  expect(serve(store, 'k', 'b', 'v')).toBe('first');
});

test.each(['', 'x'.repeat(256)])('refuses a key of %j', (key) => {
  expect(() => open().store.claim('w', key, 'a')).toThrow(refused('invalid_idempotency_key'));
});

test.each(['__proto__', 'constructor', 'x'.repeat(255)])('takes %j for a key like any other', (key) => {
  const { store } = open();
  expect(serve(store, key)).toBe('first');
  expect(serve(store, key)).toBe('replay');
});

test('accepts a missing key each time, or refuses it where the world says so', () => {
  const { store } = open();
  expect(serve(store, undefined)).toBe('first');
  expect(serve(store, undefined)).toBe('first');
  expect(() => open({ missing: 'refuse' }).store.claim('w', undefined, 'a')).toThrow(
    refused('idempotency_key_required'),
  );
});

test('refuses or serves a repeated key where the world says so', () => {
  const { store: refusing } = open({ repeated: 'refuse' });
  serve(refusing, 'k');
  expect(() => refusing.claim('w', 'k', 'a')).toThrow(refused('idempotency_repeated'));
  const { store: serving } = open({ repeated: 'serve' });
  expect([serve(serving, 'k'), serve(serving, 'k', 'b')]).toEqual(['first', 'first']);
});

test('forgets a key once its retention is over', () => {
  const { store, clock } = open({ retentionSeconds: 60 });
  serve(store, 'k');
  clock.now = 60_000;
  expect(serve(store, 'k')).toBe('replay');
  clock.now = 60_001;
  expect(serve(store, 'k', 'b')).toBe('first');
});

test('remembers the last keys up to its capacity, and one in flight for as long as it is', () => {
  const { store } = open({ capacity: 4 });
  const early = store.claim('w', 'early', 'a');
  for (let index = 0; index < 20; index += 1) serve(store, `k${index}`);
  store.settle(early, completion);
  expect(serve(store, 'early')).toBe('replay');
  expect(serve(store, 'k19')).toBe('replay');
  expect(serve(store, 'k0')).toBe('first');
});

test('remembers every key for its retention given no capacity, and forgets it afterwards', () => {
  const { store, clock } = open({ retentionSeconds: 60 });
  for (let index = 0; index < 5000; index += 1) serve(store, `k${index}`);
  clock.now = 60_000;
  for (let index = 0; index < 5000; index += 1) expect(serve(store, `k${index}`)).toBe('replay');
  clock.now = 60_001;
  expect(serve(store, 'k0')).toBe('first');
  expect(store.brokenPromises()).toEqual([]);
});

test('says how many keys its capacity made it forget within their retention', () => {
  const { store, clock } = open({ capacity: 4, retentionSeconds: 60 });
  for (let index = 0; index < 8; index += 1) serve(store, `k${index}`);
  expect(store.brokenPromises()).toEqual([]);
  serve(store, 'k8');
  const sentence = 'w: 4 Idempotency-Keys were forgotten within their 60 s, because the capacity is 4';
  expect(store.brokenPromises()).toEqual([sentence]);
  clock.now = 60_001;
  for (let index = 10; index < 15; index += 1) serve(store, `k${index}`);
  expect(store.brokenPromises()).toEqual([sentence]);
});
