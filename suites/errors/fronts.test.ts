import { expect, test } from 'vitest';
import type { Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { judgeInvariants } from '../engine/running/judge-invariants.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { errorObject, frontErrorObject } from './error-object.ts';

type Headers = Readonly<Record<string, string>>;

const DATE = { date: 'Sun, 22 Nov 2026 09:00:00 GMT' };
const PAGE = '<html><h1>429 Too Many Requests</h1></html>';

/** Four answers of a service with these headers, one of them a refusal. */
function service(headers: Headers): readonly Exchange[] {
  const type = { 'content-type': 'application/json' };
  const error = { error: { code: 'x', message: 'No.', request_id: 'r-1' } };
  const served = [1, 2, 3].map(() => answered({ body: { choices: [] }, headers: { ...headers, ...type } }));
  return [...served, answered({ status: 400, body: error, headers: { ...headers, ...type } })];
}

function page(headers: Headers, body = PAGE, status = 429): Exchange {
  return answered({ status, body, headers: { ...headers, 'content-type': 'text/html' } });
}

function kinds(invariant: Invariant, record: readonly Exchange[], about: Exchange) {
  return judgeInvariants([invariant], [...record, about], infoForTest())
    .flatMap(({ rulings }) => rulings)
    .flatMap(([id, ruling]) =>
      id === about.id && !(ruling instanceof Error) && ruling.kind !== 'not-exercised' ? [ruling.kind] : [],
    );
}

/** Which of the two invariants blames a page: the one of the service, or the one of the front. */
function blamed(record: readonly Exchange[], about: Exchange): string {
  const [own, fronts] = [kinds(errorObject, record, about), kinds(frontErrorObject, record, about)];
  expect(own.length + fronts.length).toBe(1);
  return fronts.length === 1 ? 'front' : 'service';
}

test.each<[string, Headers, Headers, string?]>([
  ['another server', { server: 'uvicorn', ...DATE }, { server: 'nginx', ...DATE }],
  ['a server where the service names none', DATE, { server: 'cloudflare', ...DATE }],
  ['no date where the service always has one', DATE, {}],
  ['a page that names its server', { server: 'nginx', ...DATE }, { server: 'nginx', ...DATE }, 'nginx'],
  ['none of the own headers', { server: 'nginx', 'x-id': '1', ...DATE }, { server: 'nginx', ...DATE }],
])('blames the front for a page with %s', (_, own, fronts, body) => {
  expect(blamed(service(own), page(fronts, body))).toBe('front');
});

test('blames the service for a page with its own headers, and for other refusals than those of fronts', () => {
  expect(blamed(service(DATE), page(DATE))).toBe('service');
  expect(blamed(service(DATE), page({ server: 'nginx' }, PAGE, 400))).toBe('service');
  expect(blamed(service({ server: 'nginx', ...DATE }), page({ server: 'nginx', ...DATE }))).toBe('service');
});

test('blames the service where too little of it was seen', () => {
  expect(blamed([], page({ server: 'nginx' }))).toBe('service');
});

test('says what was not met in a run without the page of a front', () => {
  const rulingsOn = (record: readonly Exchange[]) =>
    judgeInvariants([frontErrorObject], record, infoForTest()).flatMap(({ rulings }) => rulings);
  const reason = 'no refusal was the error page of a proxy or gateway in front of the service';
  expect(rulingsOn(service(DATE))).toMatchObject([[expect.any(String), { kind: 'not-exercised', reason }]]);
  expect(rulingsOn([...service(DATE), page({})])).toMatchObject([[expect.any(String), { kind: 'violated' }]]);
  expect(rulingsOn([])).toEqual([]);
});

test('only warns of a front', () => {
  expect([errorObject.level, frontErrorObject.level]).toEqual([undefined, 'convention']);
});
