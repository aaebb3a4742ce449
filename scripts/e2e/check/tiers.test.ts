import { expect, onTestFinished, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import type { Tier } from '../../cli/options/run-table.ts';
import { type Meddling, type Seen, startLayer } from '../support/layer.ts';

/** A run of this size, and the requests of which the workspaces have a reservation or a debit. */
async function run(tier: Tier, meddle: (seen: Seen) => Meddling = () => undefined, completions?: number) {
  const { mock, baseUrl, close, arrived } = await startLayer(meddle);
  onTestFinished(close);
  const { primary = '', ...others } = mock.keys;
  const size = sizeOf(tier, 'live');
  const summary = await runSuites({
    target: { baseUrl, kind: 'live', keys: { primary, ...others }, profile: {}, headers: {} },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed: 3,
    ...size,
    caps: { ...size.caps, ...(completions !== undefined && { completions }) },
    concurrency: 6,
    timeoutMs: 20_000,
    allow: new Set(),
  });
  return { summary, reserved: mock.ledger.entries().length, arrived: arrived() };
}

const isPost = ({ method }: Seen): boolean => method === 'POST';

function idsWith(verdict: string, { clauses }: Summary): readonly string[] {
  return clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id);
}

/** What the specification refuses, as far as one request without its counterpart shows it. */
const SHOWN_BY_REFUSALS =
  'SVC-5 SVC-6 SVC-7 REQ-1 REQ-2 REQ-3 REQ-4 REQ-5 REQ-6 MSG-1 MSG-2 MSG-3 MSG-4 STR-4 ERR-3 ERR-4 ERR-11';

test('reserves no credit of a conformant service in the free tier, and exercises every refusal', async () => {
  const { summary, reserved } = await run('free');
  expect(reserved).toBe(0);
  expect(summary.spent).toMatchObject({ completions: 0, outputTokens: 0 });
  expect(summary.outcome).toBe('incomplete');
  expect(summary.cutShort).toEqual([
    expect.stringMatching(
      /^no chat was accepted, since this run sends only chats that must be refused: .*; \d+ of 62 clauses were decided$/,
    ),
  ]);
  expect(idsWith('inconclusive', summary)).toEqual(expect.arrayContaining(SHOWN_BY_REFUSALS.split(' ')));
  const passed = 'SVC-2 SVC-3 MOD-1 VIS-1 ERR-1 ERR-2 ERR-10'.split(' ');
  expect(idsWith('pass', summary)).toEqual(expect.arrayContaining(passed));
  const inPart = summary.clauses.flatMap(({ id, missing }) => (missing === undefined ? [] : id));
  expect(inPart).toEqual(['AUTH-1', 'AUTH-2', 'VER-1', 'VER-2']);
  expect(summary.warnings[0]).toContain('no completions were requested');
});

test('passes no refusal given a service that refuses every chat', async () => {
  const error = JSON.stringify({ error: { code: 'no', message: 'No.', request_id: 'r' } });
  const { summary } = await run('free', (seen) => (isPost(seen) ? { status: 400, body: error } : undefined));
  expect(summary.cutShort).toContainEqual(expect.stringMatching(/^no chat was accepted.*\d+ of 62 clauses/));
  expect(idsWith('pass', summary)).not.toEqual(expect.arrayContaining(['REQ-6']));
  expect(idsWith('inconclusive', summary)).toEqual(expect.arrayContaining(['REQ-6', 'SVC-7', 'MSG-1']));
});

test('finds a violation in the free tier, and risks no second completion', async () => {
  const { summary, reserved } = await run('free', ({ body }) => {
    const isChat = body.startsWith('{"model"') && body.endsWith('}');
    return isChat ? { instead: body.replace(/,"unheard_of":[^,}]+/, '') } : undefined;
  });
  expect(reserved).toBe(1);
  expect(summary.spent.completions).toBe(1);
  expect(summary.outcome).toBe('violations');
  expect(idsWith('fail', summary)).toContain('REQ-6');
  expect(summary.cutShort[0]).toContain('a chat that must be refused was accepted');
});

test('sends no second chat in the free tier once an outcome is unknown', async () => {
  const { summary } = await run('free', (seen) => (isPost(seen) ? 'cut' : undefined));
  expect(summary.uncertain).toHaveLength(1);
  expect(summary.outcome).toBe('incomplete');
});

test('sends only GET requests in the free tier given a cap of 0 completions', async () => {
  let posts = 0;
  await run('free', (seen) => void (posts += isPost(seen) ? 1 : 0), 0);
  expect(posts).toBe(0);
});

test('passes the same clauses in the smoke tier as in the full tier, with half of the requests', async () => {
  const [smoke, full] = [await run('smoke'), await run('full')];
  expect([smoke.summary.cutShort, full.summary.cutShort]).toEqual([[], []]);
  expect(smoke.summary.outcome).toBe('conformant');
  expect(idsWith('pass', smoke.summary)).toEqual(idsWith('pass', full.summary));
  expect(smoke.arrived).toBeLessThan(full.arrived / 2);
  expect(smoke.summary.spent.completions).toBeLessThan(full.summary.spent.completions);
});
