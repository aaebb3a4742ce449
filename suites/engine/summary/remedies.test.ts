import { expect, test } from 'vitest';
import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult } from '../model/summary.ts';
import { ALL_FRAMEWORKS, gatewaysBefore, remediesFor } from './remedies.ts';
import { REMEDY_TABLE, rowsOf } from './remedy-table.ts';

interface Shown {
  readonly clauses?: readonly ClauseId[];
  readonly code?: string;
  readonly sent?: object;
  readonly difference?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly held?: number;
}

/** A check that failed once, as reports show it. */
function failed(shown: Shown): CheckResult {
  const { clauses = ['REQ-6'], code = 'accepted', sent = { n: 1 }, difference = '/n', held = 0 } = shown;
  const { status = 200, headers = {}, body = '{"choices":[]}' } = shown;
  const request = { method: 'POST', path: '/chat/completions', credential: 'primary', headers: {} };
  const exchange = { id: 'a/0/0', request: { ...request, body: JSON.stringify(sent) }, outcome: 'answered' };
  const answer = { status, headers, body };
  const verdict = { level: 'stated', title: '', verdict: 'fail', reason: '', exchanges: 1, held } as const;
  return {
    id: 'a-check',
    clauses,
    ...verdict,
    failures: [{ code, trials: 1 }],
    evidence: [
      {
        finding: { code, expected: '', actual: '' },
        exchange: { ...exchange, answer },
        control: { exchange, difference },
        curl: '',
      },
    ],
  };
}

function passed(...clauses: readonly ClauseId[]): CheckResult {
  return { ...failed({ clauses }), verdict: 'pass', evidence: [], failures: [] };
}

/** What the remedies of one failure are for, those that the run shows with a mark. */
function named(shown: Shown, ...others: readonly CheckResult[]): readonly string[] {
  const check = failed(shown);
  const remedies = remediesFor([check], [check, ...others]);
  return remedies.map(({ of = '*', seen }) => `${of}${seen === undefined ? '' : ' (seen)'}`);
}

const ERROR = { clauses: ['ERR-1'], code: 'no-error-object', status: 400 } as const;
const TEXT = { clauses: ['REQ-3'], sent: { temperature: '0.7' }, difference: '/temperature' } as const;

/** Its errors have no headers of their own. */
const FASTIFY = { headers: {}, body: '{"statusCode":400,"error":"Bad Request"}' } as const;

test.each<readonly [string, Shown, readonly string[]]>([
  ['nothing of the service', {}, ['zod', 'pydantic', 'encoding/json']],
  ['x-powered-by: Express', { headers: { 'x-powered-by': 'Express' } }, ['zod (seen)']],
  ['server: uvicorn', { headers: { server: 'uvicorn' } }, ['pydantic (seen)']],
  ['nginx, which is no framework', { headers: { server: 'nginx' } }, ['zod', 'pydantic', 'encoding/json']],
  ['an error object of FastAPI', { ...ERROR, code: 'no-code', body: '{"detail":"No."}' }, ['FastAPI (seen)']],
  ['a list as a text in Fastify', { ...FASTIFY, clauses: ['MSG-2'], sent: { n: ['m'] } }, ['Fastify (seen)']],
  ['text as a number', { ...TEXT, headers: { server: 'uvicorn' } }, ['pydantic (seen)']],
  ['the page of Express', { ...ERROR, body: '<title>Error</title></head><body><pre>x' }, ['Express (seen)']],
  ['a text that nobody is known to write', { ...ERROR, body: 'No.' }, []],
  [
    'a page of nginx over a limit',
    { ...ERROR, code: 'front-answered', status: 413, headers: { server: 'nginx/1.28.0' } },
    ['nginx (seen)', 'nginx (seen)'],
  ],
  ['a fraction', { clauses: ['REQ-4'], sent: { n: 0.5 } }, ['zod', 'Jackson']],
  ['a role that is a number', { clauses: ['MSG-1'], sent: { n: 1 } }, ['Jackson', 'PHP']],
  ['another role', { clauses: ['MSG-1'], sent: { n: 'x' } }, ['zod', 'pydantic']],
  ['a key elsewhere', { clauses: ['AUTH-1'], difference: 'the key in the address' }, ['Laravel']],
  ['a stream without a type', { clauses: ['STR-1'], code: 'no-event-stream' }, ['FastAPI', 'Express']],
  ['a usage that no stream has', { clauses: ['RES-4'], code: 'no-usage', sent: { stream: true } }, ['*']],
  ['a usage that is missing', { clauses: ['RES-4'], code: 'no-usage' }, []],
  ['a limiter', { ...ERROR, status: 429, body: 'Slow.' }, ['express-rate-limit', 'Rack::Attack']],
  ['an object that fails', { clauses: ['ERR-11'], code: 'failed', status: 500 }, ['*']],
  ['a finding that no line mends', { clauses: ['RES-1'], code: 'no-choices' }, []],
])('returns what fits what the run shows, or else usual causes, given %s', (_what, shown, expected) => {
  expect(named(shown)).toEqual(expected);
});

test('names nothing that another verdict of the run refutes', () => {
  // Who drops all unknown fields drops these too.
  expect(named({}, passed('REQ-6'))).toEqual(['*']);
  expect(named({ held: 2 })).toEqual(['*']);
  expect(named({ held: 2 }, failed({ held: 0 }))).toEqual(['zod', 'pydantic', 'encoding/json']);
  expect(named({ difference: '/Temperature', held: 2 })).toEqual(['encoding/json', 'ASP.NET']);
  // Who coerces every value coerces this one too.
  expect(named(TEXT, passed('REQ-4'))).toEqual([]);
  // A page of its own that is not the framework's.
  expect(named({ ...ERROR, body: '{"no":"object"}', headers: { 'x-powered-by': 'Express' } })).toEqual([]);
  // Usual causes in other languages than the one that shows.
  expect(named({ headers: { 'x-powered-by': 'PHP/8.4' }, clauses: ['REQ-4'], sent: { n: null } })).toEqual(
    [],
  );
});

test('recognises a framework by any failure of the run', () => {
  expect(named({}, failed({ ...ERROR, body: '{"detail":[{"type":"missing"}]}' }))).toEqual([
    'pydantic (seen)',
  ]);
});

test('names the gateways that an answer came through, and no proxy', () => {
  const headers = { 'x-portkey-trace-id': '7', server: 'nginx' };
  expect(gatewaysBefore([failed({ headers })])).toEqual(['Portkey (x-portkey-trace-id: 7)']);
});

test('lists remedies with a framework that is known, its documentation, and the line to change', () => {
  const rows = rowsOf(REMEDY_TABLE);
  const remedies = rows.filter(({ length }) => length > 1);
  expect(remedies.length).toBeGreaterThanOrEqual(60);
  for (const row of remedies)
    expect(row).toEqual([expect.stringMatching(/./), expect.stringMatching(/./), expect.stringMatching(/./)]);
  const documented = new Set(ALL_FRAMEWORKS.flatMap(({ name, docs }) => (docs === '' ? [] : name)));
  expect(remedies.filter(([name = '']) => name !== '*' && !documented.has(name))).toEqual([]);
  for (const [kind = ''] of rows.filter(({ length }) => length === 1)) {
    const [, clauses = ''] = kind.split(': ');
    expect(clauses.split(' ').filter((clause) => !Object.hasOwn(CLAUSES, clause))).toEqual([]);
  }
});
