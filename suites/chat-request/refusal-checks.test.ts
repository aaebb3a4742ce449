import { expect, test } from 'vitest';
import { answered } from '../engine/test-support/exchange.ts';
import { kindsOf, servingCounterparts, ruled } from '../engine/test-support/rulings.ts';
import { responsesApiAbsent } from './fields-refused.ts';

test('serves no Responses API where a router sends one page for every other path', async () => {
  const page = (type: string) => ({ headers: { 'content-type': type }, body: '<!doctype html><p>Home</p>' });
  const kinds = (type: string) => kindsOf(responsesApiAbsent, servingCounterparts(page(type)));
  expect(await kinds('text/html; charset=utf-8')).toEqual(['holds']);
  expect(await kinds('text/plain')).toEqual(['violated', 'inconclusive']);
  expect(await kinds('multipart/related; type=text/html')).toEqual(['violated', 'inconclusive']);
  const response = { headers: { 'content-type': 'text/html' }, body: '{"id":"resp_0","output":[]}' };
  expect(await kindsOf(responsesApiAbsent, servingCounterparts(response))).toEqual([
    'violated',
    'inconclusive',
  ]);
  expect(await kindsOf(responsesApiAbsent, () => page('text/html'))).toEqual(['not-exercised']);
});

test('finds no Responses API exercised by a page alone', () => {
  const page = answered({ headers: { 'content-type': 'text/html' }, body: '<p>Home</p>' });
  expect(ruled(responsesApiAbsent, { exchanges: [page] }).kind).toBe('not-exercised');
});
