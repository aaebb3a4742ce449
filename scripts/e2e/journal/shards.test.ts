import { expect, onTestFinished, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { readJournal } from '../../../suites/kit/journal/read-journal.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { planOptionsOf } from '../../../suites/kit/planning/planned-stimuli.ts';
import { planSpending } from '../../../suites/kit/planning/spending-plan.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import { startErringService } from '../support/erring-service.ts';
import { shortRun } from '../support/journalled-run.ts';
import { type Meddling, type Seen, startLayer } from '../support/layer.ts';
import { merged, shardedRun, shardsOf } from './sharded-run.ts';

const KEYS = { primary: 'sk-a-key-of-a-shard-0123' };

function unsent(more: Partial<RunOptions> = {}): RunOptions {
  const target = {
    baseUrl: 'http://127.0.0.1:9/v1',
    kind: 'live',
    keys: KEYS,
    profile: {},
    headers: {},
  } as const;
  return shortRun(target, { ...sizeOf('full', 'live'), ...more });
}

/** A run in its own world, whose chats this layer meddles with. */
async function layered(meddle: (seen: Seen) => Meddling = () => undefined): Promise<RunOptions> {
  const { mock, baseUrl, close } = await startLayer(meddle, { control: true, seed: 11 });
  onTestFinished(close);
  const { primary = '', ...others } = mock.keys;
  const target = { baseUrl, kind: 'mock', keys: { primary, ...others }, profile: {}, headers: {} } as const;
  return shortRun(target, { runs: 'few', control: { url: mock.control ?? '' } });
}

/** Temperatures that must be refused are served. */
function lenient({ method, body }: Seen): Meddling {
  if (method === 'GET' || !body.includes('"temperature"')) return undefined;
  return { instead: body.replaceAll(/"temperature":[^,}]+/g, '"temperature":0.5') };
}

function verdict({ checks }: Summary): string | undefined {
  return checks.find(({ id }) => id === 'request-id-unique')?.verdict;
}

const IN_PASSING: ReadonlySet<string> = new Set(INVARIANTS.map(({ id }) => id));

/**
 * What two summaries have to agree on. What several shards sent, invariants judge once for each of them; whether a
 * repeat finds its request in flight depends on how busy the machine is.
 */
function said({ outcome, seed, caps, checks, clauses, open: all, cutShort }: Summary) {
  const open = all.filter(({ point }) => point !== 'idempotency.in_flight');
  const results = checks.map((check) => ({
    ...check,
    evidence: check.evidence.map(({ finding }) => finding.code),
    ...(IN_PASSING.has(check.id) && { exchanges: 0 }),
  }));
  return { outcome, seed, caps, checks: results, clauses, open, cutShort };
}

test('gives every check to exactly one shard, and all checks of a stimulus to the same one', () => {
  for (const count of [1, 2, 3, 7]) {
    const shards = shardsOf(unsent(), count);
    expect(shards.flatMap(({ checks }) => checks.map(({ id }) => id)).toSorted()).toEqual(
      CHECKS.map(({ id }) => id).toSorted(),
    );
    const stimuli = shards.flatMap(({ checks }) => [...new Set(checks.map(({ given }) => given))]);
    expect(new Set(stimuli).size).toBe(stimuli.length);
  }
});

test.each([
  [100, 2],
  [300, 80],
  [3, 0],
])(
  'shares caps of %i requests and %i completions so that they add up to the whole',
  (requests, completions) => {
    for (const count of [1, 2, 3]) {
      const caps = { requests, completions, outputTokens: 16 };
      const shares = shardsOf(unsent({ caps }), count).map((shard) => shard.caps);
      const sum = (of: 'requests' | 'completions') => shares.reduce((all, share) => all + share[of], 0);
      expect([sum('requests'), sum('completions')]).toEqual([requests, completions]);
      expect(shares.every((share) => share.requests > 0 && share.outputTokens === 16)).toBe(true);
    }
  },
);

test('gives no chat to a shard without a completion', () => {
  const [, second] = shardsOf(unsent(sizeOf('free', 'live')), 2);
  const boundless = { requests: 300, completions: 300, outputTokens: 16 };
  const plan = second && planSpending(planOptionsOf({ ...second, caps: boundless }));
  expect(plan?.total).toMatchObject({ completions: 0, mostCompletions: 0 });
  expect(plan?.stages.flatMap(({ kinds }) => kinds).length).toBeGreaterThan(0);
});

test.each(['smoke', 'full'] as const)(
  'plans shards of about equal size within their caps in the %s tier',
  (tier) => {
    const { caps, ...size } = sizeOf(tier, 'live');
    const bounded = shardsOf(unsent({ ...size, caps }), 3).map((options) => options.caps);
    const boundless = { ...caps, requests: 10_000, completions: 10_000 };
    const shards = shardsOf(unsent({ ...size, caps: boundless }), 3);
    const loads = shards.map((options) => planSpending(planOptionsOf(options)).total);
    for (const cost of ['requests', 'completions'] as const) {
      const each = loads.map((load) => load[cost]);
      expect(Math.max(...each)).toBeLessThan(1.4 * Math.min(...each));
    }
    for (const [i, { requests }] of loads.entries())
      expect(requests).toBeLessThanOrEqual(bounded[i]?.requests ?? 0);
  },
);

test('reports three shards as it reports the whole run, given caps with room for a counterpart in each', async () => {
  const { target } = await layered();
  const caps = { requests: 400, completions: 120, outputTokens: 16 };
  const options = unsent({ target: { ...target, kind: 'live' }, allow: new Set(), caps });
  const whole = await runSuites(options);
  const { summary } = merged(await shardedRun(shardsOf(options, 3)));
  expect(whole.cutShort).toEqual([]);
  expect(said(summary)).toEqual(said(whole));
}, 60_000);

test('reports three shards as it reports the whole run, given a conformant service', async () => {
  const options = await layered();
  const whole = await runSuites(options);
  const { summary } = merged(await shardedRun(shardsOf(options, 3)));
  expect(said(summary)).toEqual(said(whole));
  expect(summary.warnings).toEqual(whole.warnings);
  expect(summary.spent.requests).toBeGreaterThanOrEqual(whole.spent.requests);
}, 60_000);

test('reports three shards as it reports the whole run, given violations', async () => {
  const options = await layered(lenient);
  const whole = await runSuites(options);
  const { summary } = merged(await shardedRun(shardsOf(options, 3)));
  expect(whole.outcome).toBe('violations');
  expect(said(summary)).toEqual(said(whole));
}, 60_000);

test('adds up what the shards spent, and counts each request once', async () => {
  const shards = shardsOf(await layered(), 3);
  const files = await shardedRun(shards);
  const { entries, summary } = merged(files);
  const sent = entries.filter(({ type }) => type === 'sent').map((entry) => 'id' in entry && entry.id);
  expect(new Set(sent).size).toBe(sent.length);
  expect(summary.spent.requests).toBe(sent.length);
  expect(sent.filter((id) => String(id).startsWith('preflight/')).length).toBe(3 * shards.length);
}, 60_000);

test('finds a request ID that errors of two shards share', async () => {
  const answers = new Map<string, number>();
  const { baseUrl } = await startErringService(({ method, path, headers }, response) => {
    if (method === 'GET') return false;
    const agent = String(headers['x-shard']);
    const nth = (answers.get(agent) ?? 0) + 1;
    answers.set(agent, nth);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'no', message: `No: ${path}`, request_id: `req-${nth}` } }));
    return true;
  });
  const target = { baseUrl, kind: 'mock', keys: KEYS, profile: {}, headers: {} } as const;
  const shards = shardsOf(shortRun(target, { runs: 'few' }), 2).map((shard, i) => ({
    ...shard,
    target: { ...target, headers: { 'x-shard': String(i) } },
  }));
  const files = await shardedRun(shards);
  const alone = files.map((file) => summarise(recordedFindings(readJournal(file), [])));
  expect(alone.map(verdict)).toEqual(['pass', 'pass']);
  expect(verdict(merged(files).summary)).toBe('fail');
});
