import { expect, test } from 'vitest';
import { kindsOf, REFUSED, rulingsOf, SERVED, servingTwins } from '../kit/for-test/rulings-for-test.ts';
import { errorCodesObserved, errorPlacesObserved } from './error-conditions.ts';
import { malformedBodiesSurvived } from './malformed-bodies-survived.ts';
import { oddChatsSurvived } from './odd-chats-survived.ts';
import { rateLimitError, rateLimitObserved } from './rate-limit-error.ts';

const SURVIVALS = [malformedBodiesSurvived, oddChatsSurvived];
const LIMITED = { status: 429, body: { error: { code: 'rate_limit', message: 'm', request_id: 'r' } } };

test.each(SURVIVALS)(
  '$id: holds given requests that are served, or refused with an error object',
  async (check) => {
    expect([await kindsOf(check, () => SERVED), await kindsOf(check, servingTwins(REFUSED))]).toEqual([
      ['holds'],
      ['holds'],
    ]);
  },
);

test.each(SURVIVALS)('$id: leaves what an error object holds to other judgements', async (check) => {
  expect(await kindsOf(check, servingTwins({ status: 400, body: { error: {} } }))).toEqual(['holds']);
});

test.each(SURVIVALS)('$id: is violated given a failure, and given a refusal in HTML', async (check) => {
  const html = servingTwins({ status: 400, body: '<html>Bad request</html>' });
  expect([await kindsOf(check, servingTwins({ status: 500 })), await kindsOf(check, html)]).toEqual([
    ['violated'],
    ['violated'],
  ]);
});

test.each(SURVIVALS)('$id: is not exercised given a service that refuses everything', async (check) => {
  expect(await kindsOf(check, () => REFUSED)).toEqual(['not-exercised']);
});

test.each(SURVIVALS)('$id: is inconclusive given what nobody recognises', async (check) => {
  expect(await kindsOf(check, servingTwins({ body: 'Hm.' }))).toEqual(['inconclusive']);
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

test('error-codes: observes the status alone given a refusal without a code', async () => {
  const [ruling] = await rulingsOf(errorCodesObserved, () => ({ status: 404, body: '<html>' }));
  expect(ruling).toEqual({
    kind: 'observed',
    observations: [{ point: 'error.status.unknown_field', value: 404 }],
  });
});

test('error-places: observes the places of the three items', async () => {
  const [ruling] = await rulingsOf(errorPlacesObserved, () => REFUSED);
  expect(ruling).toEqual({
    kind: 'observed',
    observations: [
      { point: 'error.code', value: '/error/code' },
      { point: 'error.message', value: '/error/message' },
      { point: 'error.request_id', value: '/error/request_id' },
    ],
  });
});

test.each([errorCodesObserved, errorPlacesObserved])(
  '$id: observes nothing given a service that serves',
  async (check) => {
    expect(await kindsOf(check, () => SERVED)).toEqual(['not-exercised']);
  },
);

/** Serves so many of the requests that are provoked, and limits the rest. */
function limitedAfter(count: number, limit: object = LIMITED) {
  let provoked = 0;
  return (_: unknown, as: string) => (as === 'provoke' && ++provoked > count ? limit : SERVED);
}

test('rate-limit-error: holds given a burst in which one request met the limit', async () => {
  expect(await kindsOf(rateLimitError, limitedAfter(20))).toEqual(['holds']);
  expect(await kindsOf(rateLimitObserved, limitedAfter(20))).toEqual(['observed']);
});

test('rate-limit-error: is violated given a limit without an error object', async () => {
  expect(await kindsOf(rateLimitError, limitedAfter(3, { status: 429, body: 'slow down' }))).toEqual([
    'violated',
  ]);
});

test('rate-limit-error: is not exercised given a service that bears every burst', async () => {
  const [ruling] = await rulingsOf(rateLimitError, () => SERVED);
  expect(ruling).toEqual({
    kind: 'not-exercised',
    reason: expect.stringMatching(/^\d+ requests at once met no rate limit$/),
  });
  expect(await kindsOf(rateLimitObserved, () => SERVED)).toEqual(['not-exercised']);
});
