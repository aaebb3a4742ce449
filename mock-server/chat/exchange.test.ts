import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { REQUEST as request } from '../test-support/chat.ts';
import { completionIdOf, identify, Occurrences } from './exchange.ts';

test('is the same for the same seed and request, and another for each repetition and seed', () => {
  const [one, other] = [new Occurrences(), new Occurrences()];
  const first = identify(1, one, request);
  expect(identify(1, other, request)).toEqual(first);
  expect(identify(2, new Occurrences(), request).requestId).not.toBe(first.requestId);
  const ids = [first, identify(1, one, request), identify(1, one, request)].map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(3);
});

test.each([
  { method: 'GET' },
  { url: '/v1/models' },
  { authorization: 'Bearer b' },
  { idempotencyKey: undefined },
  { contentType: undefined },
  { contentEncoding: 'gzip' },
  { body: Buffer.from('{ }') },
])('is another given a request that differs in %j', (change) => {
  const identity = identify(1, new Occurrences(), { ...request, ...change });
  const same = identify(1, new Occurrences(), request);
  expect(identity.requestId).not.toBe(same.requestId);
  expect(completionIdOf(identity.digest)).not.toBe(completionIdOf(same.digest));
});

function digest(name: string): string {
  return hash('sha256', name, 'hex');
}

test('counts the occurrences of each request for itself', () => {
  const occurrences = new Occurrences();
  const numbers = ['a', 'b', 'a', 'a', 'b', 'c'].map((name) => occurrences.next(digest(name)));
  expect(numbers).toEqual([0, 0, 1, 2, 1, 0]);
});

test('never gives one request the same number twice, even after it forgot', () => {
  const occurrences = new Occurrences(1000);
  const given = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    for (let name = 0; name < 1500; name += 1) {
      given.add(`${name}:${occurrences.next(digest(`r${name}`))}`);
    }
  }
  expect(given.size).toBe(7500);
});
