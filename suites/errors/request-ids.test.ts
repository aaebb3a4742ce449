import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import { judgeInvariants } from '../engine/running/judge-invariants.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { requestIdDiffers, requestIdPresent, requestIdUnique } from './request-ids.ts';

type Sent = readonly [body: object | string, key?: string, status?: number];

/** The rulings of one run on these errors, each under an Idempotency-Key of its own or under this one. */
function rulings(...errors: readonly Sent[]) {
  const judge = requestIdUnique.judge(infoForTest());
  return errors.map(([body, key, status = 400], nth) => {
    const headers: Record<string, string> = key === 'none' ? {} : { 'idempotency-key': key ?? `k-${nth}` };
    return judge(answered({ status, body }, undefined, { headers }));
  });
}

const error = (requestId: string | number | null) => ({
  error: { code: 'c', message: 'm', request_id: requestId },
});
const numbered = (id: string) => `{"code":"c","message":"m","request_id":${id}}`;

const twice = (sent: Sent): readonly Sent[] => [sent, sent];

test.each<[string, readonly Sent[], readonly unknown[]]>([
  ['IDs of their own', [[error('a')], [error('b')], [error(3)]], ['holds', 'holds', 'holds']],
  [
    'an ID that two share',
    [[error('a')], [error('a')], [error('a'), 'k', 500]],
    ['holds', 'violated', 'violated'],
  ],
  ['one Idempotency-Key', twice([error('a'), 'k']), ['holds', 'holds']],
  ['no Idempotency-Key', twice([error('a'), 'none']), ['holds', 'violated']],
  ['no ID', [[error(null)], [''], [error(null), 'k', 500]], [undefined, undefined, undefined]],
  [
    'no error',
    [
      [{ choices: [], error: null, request_id: 'a' }, 'k', 200],
      [{ code: 'c', request_id: 'a' }, 'k', 200],
      [{ choices: [], id: 'a' }, 'k', 200],
    ],
    [undefined, undefined, undefined],
  ],
  // They differ only beyond what a double can hold.
  [
    'long numbers',
    [[numbered('1844674407370955161')], [numbered('1844674407370955162')]],
    ['holds', 'holds'],
  ],
])('request-id-unique: judges %s', (_, errors, expected) => {
  expect(rulings(...errors).map((ruling) => ruling?.kind)).toEqual(expected);
});

test('request-id-unique: names the ID that is shared, and remembers no other run', () => {
  const finding = { code: 'shared-request-id', path: '/error/request_id' };
  expect(rulings([error('a')], [error('a')])[1]).toMatchObject({ finding });
  expect(rulings([error('a')])).toEqual([{ kind: 'holds' }]);
});

test('request-id-unique: says what to pin given another member that can be the request ID', () => {
  const traced = (id: string): Sent => [{ code: 'c', message: 'm', correlation_id: 's-1', id }, 'none'];
  expect(rulings(traced('a'), traced('b'))[1]).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining('/id'),
    hint: expect.stringContaining('error.request_id'),
  });
  expect(rulings([{ error: { code: 'c', message: 'm', vorgang: 'v-1' } }])).toMatchObject([
    { kind: 'not-exercised', hint: 'pin "error.request_id" in a profile' },
  ]);
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

const sameId = (count: number, status = 400): readonly Exchange[] =>
  Array.from({ length: count }, () => refused({ request_id: 'r-0' }, status));
const traced = (vorgangOf: (n: number) => string): readonly Exchange[] =>
  [1, 2, 3].map((n) => refused({ trace_id: '0', vorgang: vorgangOf(n) }));
const [ONE] = sameId(1);
const THRICE = ['violated', 'violated', 'violated'];

test.each<[string, readonly (Exchange | undefined)[], readonly string[]]>([
  ['an ID that never changes', sameId(3), THRICE],
  ['one that does not change where it fails', [...sameId(1), ...sameId(2, 500)], THRICE],
  ['several possible IDs that never change', traced(() => 'a'), THRICE],
  ['an ID that differs once', [...sameId(2), refused({ request_id: 'r-1' })], ['holds']],
  ['something else that may be it and differs', traced((n) => `v-${n}`), ['holds']],
  ['two errors', sameId(2), []],
  ['one request that was sent again', [ONE, ONE, ONE], []],
  ['nothing', [], []],
])('request-id-differs: given %s', (_, exchanges, expected) => {
  expect(kinds(...exchanges.filter((each) => each !== undefined))).toEqual(expected);
});

test.each([
  ['the same in every error', ['acme', 'acme', 'acme'], ['violated', 'violated', 'violated']],
  ['another in each', ['a-1', 'a-2', 'a-3'], ['not-exercised', 'not-exercised', 'not-exercised']],
  ['shared by two', ['a-1', 'a-1', 'a-3'], ['not-exercised', 'not-exercised', 'not-exercised']],
])('request-id-present: given a member of an unknown name that is %s', (_, values, expected) => {
  const errors = values.map((vendor) =>
    answered({ status: 400, body: { error: { code: 'c', message: 'm', vendor } } }),
  );
  const [judged] = judgeInvariants([requestIdPresent], errors, infoForTest());
  expect(judged?.rulings.map(([, ruling]) => 'kind' in ruling && ruling.kind)).toEqual(expected);
});
