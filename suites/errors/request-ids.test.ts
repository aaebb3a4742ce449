import { expect, test } from 'vitest';
import type { Exchange } from '../kit/model/exchange.ts';
import { answered } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { requestIdUnique, requestIdDiffers } from './request-ids.ts';

const newJudge = () => requestIdUnique.judge(infoForTest());
const error = (requestId: string | number, key = 'k-1', status = 400) =>
  answered({ status, body: { error: { code: 'c', message: 'm', request_id: requestId } } }, undefined, {
    headers: { 'idempotency-key': key },
  });

test('holds given errors that each have an ID of their own', () => {
  const judge = newJudge();
  expect([judge(error('a')), judge(error('b', 'k-2')), judge(error(3, 'k-3'))]).toEqual(
    Array.from({ length: 3 }, () => ({ kind: 'holds' })),
  );
});

test('is violated given an ID that another error had, whether it refuses or fails', () => {
  const judge = newJudge();
  judge(error('a'));
  expect([judge(error('a', 'k-2')), judge(error('a', 'k-3', 500))]).toMatchObject([
    { kind: 'violated', finding: { code: 'shared-request-id', path: '/error/request_id' } },
    { kind: 'violated' },
  ]);
});

test('holds given the same ID again under the same Idempotency-Key', () => {
  const judge = newJudge();
  judge(error('a'));
  expect(judge(error('a'))).toEqual({ kind: 'holds' });
});

test('is violated given an ID that two requests without an Idempotency-Key share', () => {
  const judge = newJudge();
  const keyless = () =>
    answered({ status: 400, body: { error: { code: 'c', message: 'm', request_id: 'a' } } }, undefined, {
      headers: {},
    });
  expect([judge(keyless())?.kind, judge(keyless())?.kind]).toEqual(['holds', 'violated']);
});

test('ignores an invalid request ID, and the ID of an answer that was served or unrecognised', () => {
  const judge = newJudge();
  const answers = [
    { status: 400, body: { error: { code: 'c', message: 'm', request_id: null } } },
    { body: { choices: [], error: null, request_id: 'a' } },
    { body: { code: 'c', request_id: 'a' } },
  ];
  expect(answers.map((answer) => judge(answered(answer)))).toEqual([undefined, undefined, undefined]);
});

test('remembers no other run', () => {
  newJudge()(error('a'));
  expect(newJudge()(error('a', 'k-2'))).toEqual({ kind: 'holds' });
});

test('says nothing given an answer that is no error or has no request ID', () => {
  const judge = newJudge();
  expect([
    judge(answered({ body: { choices: [], id: 'a' } })),
    judge(answered({ status: 400, body: '' })),
  ]).toEqual([undefined, undefined]);
});

test('holds given numbers that differ only beyond what a double can hold', () => {
  const judge = newJudge();
  const numbered = (id: string) =>
    answered({ status: 400, body: `{"code":"c","message":"m","request_id":${id}}` }, undefined, {
      headers: {},
    });
  expect([judge(numbered('1844674407370955161')), judge(numbered('1844674407370955162'))]).toEqual([
    { kind: 'holds' },
    { kind: 'holds' },
  ]);
});

test('does not blame what may be something else given another member that can be the request ID', () => {
  const judge = newJudge();
  const traced = (id: string) =>
    answered({ status: 400, body: { code: 'c', message: 'm', correlation_id: 's-1', id } }, undefined, {
      headers: {},
    });
  judge(traced('a'));
  expect(judge(traced('b'))).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining('/id'),
    hint: expect.stringContaining('error.request_id'),
  });
});

test('not exercised, with a hint, given a request ID under an unknown name', () => {
  const stranger = { error: { code: 'c', message: 'm', vorgang: 'v-1' } };
  expect(newJudge()(answered({ status: 400, body: stranger }))).toMatchObject({
    kind: 'not-exercised',
    hint: 'pin "error.request_id" in a profile',
  });
});

let requests = 0;

function refused(items: object, status = 400): Exchange {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `k-${(requests += 1)}` };
  return answered({ status, body: { error: { code: 'x', message: 'No.', ...items } } }, undefined, {
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
