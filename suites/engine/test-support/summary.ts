import type { CheckResult, ShownExchange, Summary } from '../model/summary.ts';

const REFUSED: ShownExchange = {
  id: 'one-unknown-field/3/0',
  request: {
    method: 'POST',
    path: '/chat/completions',
    credential: 'primary',
    headers: { 'content-type': 'application/json' },
    body: '{"model":"m","messages":[{"role":"user","content":"Hi."}],"n":1}',
  },
  outcome: 'answered',
  answer: { status: 200, headers: {}, body: '{"choices":[]}\u001b[31m' },
};

/** A check that failed on text that manipulates terminals. */
const FAILED: CheckResult = {
  id: 'unknown-field-refused',
  clauses: ['REQ-6'],
  level: 'stated',
  title: 'refuses a request with a sixth field',
  verdict: 'fail',
  reason: 'accepted the field n',
  exchanges: 12,
  failures: [{ code: 'accepted', path: '/n', trials: 2 }],
  evidence: [
    {
      finding: { code: 'accepted', path: '/n', expected: 'a refusal', actual: 'status 200' },
      exchange: REFUSED,
      control: { exchange: { ...REFUSED, id: 'one-unknown-field/3/1' }, difference: '/n' },
      curl: `curl -sS -X POST 'http://127.0.0.1:1/v1/chat/completions' -H "Authorization: Bearer $CHAT_API_KEY"`,
    },
  ],
};

/** A conformant run. */
export const SUMMARY: Summary = {
  outcome: 'conformant',
  target: { baseUrl: 'http://127.0.0.1:1/v1', kind: 'live', profile: null },
  seed: 7,
  caps: { requests: 300, completions: 80, outputTokens: 16 },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1234,
  spent: { requests: 40, completions: 8, outputTokens: 99, uncertain: 0 },
  checks: [{ ...FAILED, verdict: 'pass', reason: '', failures: [], evidence: [] }],
  clauses: [
    { id: 'REQ-6', bound: 'service', level: 'stated', verdict: 'pass', checks: [FAILED.id], reason: '' },
    {
      id: 'RES-5',
      bound: 'service',
      level: 'stated',
      verdict: 'not-exercised',
      checks: [],
      reason: 'needs access',
    },
  ],
  open: [{ clause: 'ERR-9', point: 'error.code', observed: '/error/code' }],
  uncertain: [],
  cutShort: [],
  warnings: [],
};

/** A run that saw a clause hold in part. */
export const PARTLY: Summary = {
  ...SUMMARY,
  clauses: [
    ...SUMMARY.clauses,
    {
      id: 'VER-2',
      bound: 'service',
      level: 'stated',
      verdict: 'inconclusive',
      checks: ['client-completes'],
      reason: 'passed in part, without: streams (no client); lists models (no client)',
      missing: [
        { duty: 'streams', reason: 'no client' },
        { duty: 'lists models', reason: 'no client' },
        { duty: 'completes', reason: '<b>' },
      ],
    },
  ],
};

/** A run with a violation, a request of unknown outcome, and an early end. */
export const TROUBLED: Summary = {
  ...SUMMARY,
  outcome: 'violations',
  spent: { ...SUMMARY.spent, uncertain: 1 },
  checks: [FAILED],
  uncertain: [
    { id: 'a/0/0', idempotencyKey: 'key-1', reason: 'no answer within 120000 ms', exchange: REFUSED },
  ],
  cutShort: ['interrupted'],
  warnings: ['no stream was seen'],
};
