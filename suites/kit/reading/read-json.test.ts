import { expect, test } from 'vitest';
import { answerOf } from './answer-of.ts';
import { answered } from '../test-support/exchange.ts';
import { readJson } from './read-json.ts';

test('returns the value given a JSON body', () => {
  expect(readJson(answerOf(answered({ body: '{"a":[1]}' })))).toEqual({ kind: 'json', value: { a: [1] } });
});

test('returns the same reading given the same answer again', () => {
  const answer = answerOf(answered({ body: '{}' }));
  expect(readJson(answer)).toBe(readJson(answer));
});

test('says why given an empty body, a body that is no JSON, and one that is not UTF-8', () => {
  const bodies = ['', '<html>', Uint8Array.of(0x22, 0xff, 0x22)];
  const reasons = bodies.map((body) => readJson(answerOf(answered({ body }))));
  expect(reasons).toEqual([
    { kind: 'no-json', reason: 'the body is empty' },
    { kind: 'no-json', reason: 'the body is not JSON' },
    { kind: 'no-json', reason: 'the body is not UTF-8' },
  ]);
});

test('reads an answer once, unless it is large', () => {
  const sized = (bytes: number) => answerOf(answered({ body: `"${'x'.repeat(bytes - 2)}"` }));
  const [small, large] = [sized(65_536), sized(65_537)];
  expect(readJson(small)).toBe(readJson(small));
  expect(readJson(large)).not.toBe(readJson(large));
  expect(readJson(large)).toEqual(readJson(large));
});
