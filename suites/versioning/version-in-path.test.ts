import { expect, test } from 'vitest';
import { answeredGet } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { versionHeadersShown, versionInPath } from './version-in-path.ts';

test.each([
  ...[200, 401, 500].map((status) => [status, { kind: 'holds' }] as const),
  ...[404, 405].map((status) => [status, { kind: 'violated', finding: { code: 'not-there' } }] as const),
])('rules on an endpoint that answers %i: %j', (status, expected) => {
  const exchanges = [answeredGet('/models', { status, body: {} })];
  expect(ruled(versionInPath, { exchanges })).toMatchObject(expected);
});

test('leaves a vision endpoint that is not there to the clauses of that endpoint', () => {
  const vision = answeredGet('/vision-capabilities', { status: 404, body: {} });
  expect(ruled(versionInPath, { exchanges: [vision] })).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining('VIS-1'),
  });
});

test('asks all three endpoints', () => {
  expect(versionInPath.given.inputs(infoForTest()).examples).toHaveLength(3);
});

test('observes the headers that speak of versions and deprecation', () => {
  const headers = { sunset: 'x', 'api-version': '1', 'content-type': 'application/json' };
  const exchanges = [answeredGet('/models', { headers, body: {} })];
  expect(ruled(versionHeadersShown, { exchanges })).toEqual({
    kind: 'observed',
    observations: [{ point: 'versioning.headers', value: ['api-version', 'sunset'] }],
  });
});
