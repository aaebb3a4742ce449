import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { COMPLETION as completion } from '../test-support/chat.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Choices } from '../world/world-schema.ts';
import { IdempotencyStore } from './idempotency-store.ts';

function open(choices: Partial<Choices['idempotency']> = {}) {
  const clock = { now: 0 };
  const store = new IdempotencyStore({ ...builtInWorld.choices.idempotency, ...choices }, () => clock.now);
  return { store, clock };
}

/** Sends a request to its end, if it is the first: `first`; `replay`, or the error. */
function serve(store: IdempotencyStore, key: string | undefined, fingerprint = 'a', workspace = 'w'): string {
  try {
    const claim = store.claim(workspace, key, fingerprint);
    if (claim?.completion === completion) return 'replay';
    store.settle(claim, completion);
    return 'first';
  } catch (error) {
    return error instanceof ServiceError ? error.kind : 'failure';
  }
}

test.each([
  ['k', 'a', 'w', 'replay'],
  ['k', 'b', 'w', 'idempotency_mismatch'],
  ['K', 'a', 'w', 'first'],
  ['k', 'b', 'v', 'first'],
  ['', 'a', 'w', 'invalid_idempotency_key'],
  ['x'.repeat(255), 'a', 'w', 'first'],
  ['x'.repeat(256), 'a', 'w', 'invalid_idempotency_key'],
  ['__proto__', 'a', 'w', 'first'],
])('after a completion for k: the key %j with the payload %s in workspace %s is %s', (...sent) => {
  const [key, payload, workspace, expected] = sent;
  const { store } = open();
  expect(serve(store, 'k')).toBe('first');
  const again = expected === 'first' ? 'replay' : expected;
  expect([1, 2].map(() => serve(store, key, payload, workspace))).toEqual([expected, again]);
});

test('refuses a key whose first request is still in flight, and serves it once that was refused', () => {
  const { store } = open();
  const claim = store.claim('w', 'k', 'a');
  expect(serve(store, 'k')).toBe('idempotency_in_flight');
  expect(serve(store, 'k', 'b')).toBe('idempotency_mismatch');
  store.abandon(claim);
  expect(serve(store, 'k', 'b')).toBe('first');
});

test.each(['replay', 'refuse'] as const)(
  'refuses a key under review with any payload, until it is resolved, where repeats %s',
  (repeated) => {
    const { store, clock } = open({ repeated, retentionSeconds: 60 });
    const claim = store.claim('w', 'k', 'a');
    store.suspend(claim);
    clock.now = 1_000_000;
    for (const payload of ['a', 'b']) expect(serve(store, 'k', payload)).toBe('idempotency_under_review');
    expect(serve(store, 'k', 'a', 'v')).toBe('first');
    store.abandon(claim);
    expect(serve(store, 'k', 'b')).toBe('first');
  },
);

test('replays what was under review once it is resolved as completed', () => {
  const { store } = open();
  const claim = store.claim('w', 'k', 'a');
  store.suspend(claim);
  store.settle(claim, completion);
  expect(serve(store, 'k')).toBe('replay');
});

test('accepts a missing key each time, or refuses it where the world says so', () => {
  const { store } = open();
  expect(serve(store, undefined)).toBe('first');
  expect(serve(store, undefined)).toBe('first');
  expect(serve(open({ missing: 'refuse' }).store, undefined)).toBe('idempotency_key_required');
});

test('refuses or serves a repeated key where the world says so', () => {
  const { store: refusing } = open({ repeated: 'refuse' });
  serve(refusing, 'k');
  expect(serve(refusing, 'k')).toBe('idempotency_repeated');
  const { store: serving } = open({ repeated: 'serve' });
  expect([serve(serving, 'k'), serve(serving, 'k', 'b')]).toEqual(['first', 'first']);
});

test('remembers every key for its retention, however many there are, and none for three times as long', () => {
  const { store, clock } = open({ retentionSeconds: 60 });
  for (let index = 0; index < 5000; index += 1) serve(store, `k${index}`);
  clock.now = 60_000;
  for (let index = 0; index < 5000; index += 1) expect(serve(store, `k${index}`)).toBe('replay');
  clock.now = 60_001;
  expect(serve(store, 'k0', 'b')).toBe('first');
  for (const now of [120_002, 180_003]) {
    clock.now = now;
    serve(store, `at ${now}`);
  }
  expect(store.size).toBeLessThan(5);
});
