import { expect, test } from 'vitest';
import type { Exchange } from '../kit/model/exchange.ts';
import { answered } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { requestIdDiffers } from './request-id-differs.ts';

let requests = 0;

function refused(error: object, status = 400): Exchange {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `k-${(requests += 1)}` };
  return answered({ status, body: { error: { code: 'x', message: 'No.', ...error } } }, undefined, {
    headers,
  });
}

function kinds(...exchanges: readonly Exchange[]) {
  const judge = requestIdDiffers.ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  return judge?.rulings().map(([, { kind }]) => kind);
}

test('violated for every error given an ID that never changes', () => {
  const all = [1, 2, 3].map(() => refused({ request_id: 'r-0' }));
  expect(kinds(...all)).toEqual(['violated', 'violated', 'violated']);
  const failures = [1, 2].map(() => refused({ request_id: 'r-0' }, 500));
  expect(kinds(refused({ request_id: 'r-0' }), ...failures)).toEqual(['violated', 'violated', 'violated']);
});

test('violated given several possible IDs, none of which ever changes', () => {
  const all = [1, 2, 3].map(() => refused({ trace_id: '0', vorgang: 'a' }));
  expect(kinds(...all)).toEqual(['violated', 'violated', 'violated']);
});

test('holds given an ID that differs once, or something else that may be the ID and differs', () => {
  const two = [1, 2].map(() => refused({ request_id: 'r-0' }));
  expect(kinds(...two, refused({ request_id: 'r-1' }))).toEqual(['holds']);
  const places = [1, 2, 3].map((vorgang) => refused({ trace_id: '0', vorgang: `v-${vorgang}` }));
  expect(kinds(...places)).toEqual(['holds']);
});

test('says nothing of two errors, nor of errors of one request that was sent again', () => {
  expect(kinds(refused({ request_id: 'r-0' }), refused({ request_id: 'r-0' }))).toEqual([]);
  const one = refused({ request_id: 'r-0' });
  expect(kinds(one, one, one)).toEqual([]);
  expect(kinds()).toEqual([]);
});
