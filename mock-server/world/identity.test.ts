import { expect, test } from 'vitest';

import { identify } from './identity.ts';
import { Occurrences } from '../time/occurrences.ts';
import type { Received } from '../http/received.ts';

const request: Received = {
  method: 'POST',
  url: '/v1/chat/completions',
  authorization: 'Bearer a',
  idempotencyKey: 'b',
  contentType: 'application/json',
  contentEncoding: undefined,
  fault: undefined,
  body: Buffer.from('{}'),
};

test('is the same for the same seed and request, and another for each repetition', () => {
  const [one, other] = [new Occurrences(), new Occurrences()];
  const first = identify(1, one, request);
  expect(identify(1, other, request)).toEqual(first);
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
  expect(identity.completionId).not.toBe(same.completionId);
});

test('is another given another seed', () => {
  const ids = [1, 2].map((seed) => identify(seed, new Occurrences(), request).requestId);
  expect(new Set(ids).size).toBe(2);
});
