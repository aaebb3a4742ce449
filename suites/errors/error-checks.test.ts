import { expect, test } from 'vitest';
import { answered, type AnswerForTest, errorAnswer, eventStream } from '../engine/test-support/exchange.ts';
import {
  kindsOf,
  REFUSED,
  ruled,
  rulingsOf,
  senderForTest,
  SERVED,
  servingCore,
} from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { textAroundKey } from '../engine/text/secrets.ts';
import {
  errorCodesObserved,
  errorPlacesObserved,
  rateLimitError,
  rateLimitObserved,
} from './error-conditions.ts';
import { malformedBodiesSurvived, oddChatsSurvived } from './odd-requests-survived.ts';

test.each<[AnswerForTest, string, string?]>([
  [eventStream({ choices: [] }), 'holds'],
  // What an error object holds is left to other judgements.
  [{ status: 400, body: { error: {} } }, 'holds'],
  [{ status: 500 }, 'violated', 'failed'],
  [{ status: 400, body: '<html>Bad request</html>' }, 'violated', 'no-error-object'],
  [{ body: 'Hm.' }, 'inconclusive'],
])('what is no chat is survived given %j: %s', async (answer, kind, code) => {
  for (const check of [malformedBodiesSurvived, oddChatsSurvived]) {
    const rulings = await rulingsOf(check, servingCore(answer));
    const found = rulings.map((each) => [
      each.kind,
      each.kind === 'violated' ? each.finding.code : undefined,
    ]);
    expect(found).toEqual(rulings.map(() => [kind, code]));
  }
});

test('error-codes: observes a status and a code of every condition', async () => {
  const rulings = await rulingsOf(errorCodesObserved, () => REFUSED);
  const points = rulings.flatMap((ruling) => (ruling.kind === 'observed' ? ruling.observations : []));
  expect(points.length).toBe(14);
  expect(points.slice(0, 2)).toEqual([
    { point: 'error.status.unknown_field', value: 400 },
    { point: 'error.code.unknown_field', value: 'invalid' },
  ]);
});

test('error-codes: shows the unknown key that was sent, so that a command repeats the request', async () => {
  const asked = errorCodesObserved.given.inputs(infoForTest()).examples.at(-1);
  const sender = senderForTest(() => REFUSED);
  const { exchanges } = await errorCodesObserved.given.send(asked, sender, infoForTest());
  const shown = exchanges.map(
    ({ request: { credential } }) => credential.kind === 'forged' && textAroundKey(credential),
  );
  expect(shown).toEqual([[expect.stringMatching(/^Bearer sk-[\w-]{36}$/)]]);
});

test('error-places: observes the places of the three items', async () => {
  const [ruling] = await rulingsOf(errorPlacesObserved, () => REFUSED);
  expect(ruling).toEqual({
    kind: 'observed',
    observations: [
      { point: 'error.code', value: '/error/code' },
      { point: 'error.message', value: '/error/message' },
      { point: 'error.request_id', value: '/error/request_id' },
      { point: 'error.request_id.source', value: 'own' },
    ],
  });
});

test("error-places: observes the caller's own key in place of a request ID", () => {
  const body = { error: { code: 'invalid', message: 'No.', request_id: 'key-of-the-caller' } };
  const request = { headers: { 'idempotency-key': 'key-of-the-caller' } };
  const trial = { exchanges: [answered({ status: 400, body }, undefined, request)] };
  expect(ruled(errorPlacesObserved, trial)).toMatchObject({
    observations: expect.arrayContaining([{ point: 'error.request_id.source', value: 'idempotency_key' }]),
  });
});

test('error-places: says that no item was recognised', () => {
  const told = (body: string | object, profile = {}) => {
    const trial = { exchanges: [answered({ status: 400, body })] };
    return ruled(errorPlacesObserved, trial, infoForTest({ profile }));
  };
  expect([told('<html>'), told({ vorfall: { q: 1 } })]).toEqual([
    { kind: 'not-exercised', reason: 'no code, message or request ID was recognised' },
    { kind: 'not-exercised', reason: 'no code, message or request ID was recognised' },
  ]);
  expect(told('<html>', { pins: { 'error.code': '/error/code' } })).toEqual({
    kind: 'observed',
    observations: [{ point: 'error.code', value: null }],
  });
});

test.each([errorCodesObserved, errorPlacesObserved])(
  '$id: observes no service that serves, or fails',
  async (check) => {
    expect(await kindsOf(check, () => SERVED)).toEqual(['not-exercised']);
    expect(await kindsOf(check, () => ({ ...REFUSED, status: 500 }))).toEqual(['not-exercised']);
  },
);

/** Serves so many of the requests that are provoked, and limits the rest. */
function limitedAfter(count: number, limit = errorAnswer('rate_limit', 429)) {
  let provoked = 0;
  return (_: unknown, as: string) => (as === 'provoke' && ++provoked > count ? limit : SERVED);
}

test('rate-limit-code: observes status and code given a burst in which one request met the limit', async () => {
  expect(await rulingsOf(rateLimitObserved, limitedAfter(20))).toMatchObject([
    { observations: [{ point: 'error.status.rate_limit' }, { point: 'error.code.rate_limit' }] },
  ]);
  expect(await kindsOf(rateLimitObserved, () => SERVED)).toEqual(['not-exercised']);
});

test.each([
  ['one request that met the limit', limitedAfter(20), { kind: 'holds' }],
  // ERR-1 blames a page that may be a front's.
  ['a page', limitedAfter(3, { status: 429, body: 'slow down' }), { kind: 'inconclusive' }],
  ['JSON', limitedAfter(3, { status: 429, body: '"slow down"' }), { finding: { code: 'no-error-object' } }],
  [
    'a failure',
    limitedAfter(3, { status: 500, body: { message: 'pool exhausted' } }),
    { kind: 'inconclusive', reason: expect.stringContaining('see ERR-11') },
  ],
  [
    'no limit',
    () => SERVED,
    { kind: 'not-exercised', reason: expect.stringMatching(/^\d+ simultaneous requests hit no rate limit$/) },
  ],
])('rate-limit-error: given a burst that ends in %s, %j', async (_, service, ruling) => {
  expect(await rulingsOf(rateLimitError, service)).toMatchObject([ruling]);
});
