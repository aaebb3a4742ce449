import { expect, test } from 'vitest';
import { answeredGet } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { versionHeadersShown, versionInPath } from './version-in-path.ts';

function ruling(status: number) {
  return ruled(versionInPath, { exchanges: [answeredGet('/models', { status, body: {} })] });
}

test('holds given an answer, and a refusal that is for others to judge', () => {
  expect([200, 401, 500].map((status) => ruling(status).kind)).toEqual(['holds', 'holds', 'holds']);
});

test('violated given an endpoint that is not there', () => {
  expect([404, 405].map((status) => ruling(status).kind)).toEqual(['violated', 'violated']);
});

test('leaves a vision endpoint that is not there to the clauses of that endpoint', () => {
  const vision = answeredGet('/vision-capabilities', { status: 404, body: {} });
  expect(ruled(versionInPath, { exchanges: [vision] })).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining('VIS-1'),
  });
});

test('names an endpoint that is not there', () => {
  expect(ruling(404)).toMatchObject({ finding: { code: 'not-there' } });
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
