import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { type Exchange, isChargeable } from '../../suites/engine/model/exchange.ts';
import type { Target } from '../../suites/engine/model/run.ts';
import { hasSucceeded } from '../../suites/engine/reading/answers.ts';
import { DEFAULTS, sizeOf, type Tier, TIMEOUT_MS } from '../cli/options/check-table.ts';
import { COMMAND, LIBRARY, type Program, start } from './programs.ts';
import { sendAll } from './requests.ts';

/** A completion takes so long, drawn from the seed; a refusal takes no time. */
const SLOW = ['--fault', 'latency ms=500..3000'];

const COMPLETIONS = 10;

let seeds = 0;

/** A run against the mock, with the times since it began; `options` are those of the mock. */
async function timedRun(kind: Target['kind'], tier: Tier, concurrency: number, options: readonly string[]) {
  const { CHECKS, INVARIANTS, runSuites }: typeof import('../index.ts') = await import(LIBRARY);
  const seed = (seeds += 1);
  const mock = await start(COMMAND, 'mock', '--seed', String(seed), ...options);
  const keys = kind === 'mock' ? mock.keys : { primary: mock.keys.primary };
  const timed: { readonly exchange: Exchange; readonly endedAt: number }[] = [];
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  let firstFailureAt = Infinity;
  await runSuites({
    target: { baseUrl: mock.url, kind, keys, profile: {}, headers: {} },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    ...sizeOf(tier, kind),
    concurrency,
    allow: new Set(kind === 'mock' ? DEFAULTS.mock.allow : []),
    timeoutMs: TIMEOUT_MS,
    onExchange: (exchange) => timed.push({ exchange, endedAt: elapsed() }),
    onFirstFailure: () => (firstFailureAt = elapsed()),
  });
  const ms = elapsed();
  await mock.stop();
  return { ms, timed, firstFailureAt };
}

/** A run against the mock, and a loop that only sends the same requests to another that was just started, as the first one was. */
export async function defaultRun() {
  const { concurrency, tier } = DEFAULTS.mock;
  const { ms, timed } = await timedRun('mock', tier, concurrency, []);
  const fresh = await start(COMMAND, 'mock');
  const again = timed.map(({ exchange }) => requestAgain(exchange, fresh));
  const bare = await sendAll(fresh, again, concurrency);
  await fresh.stop();
  return { ours: (timed.length * 1000) / ms, bare };
}

function requestAgain({ request: sent }: Exchange, { url, keys }: Program): Dispatcher.RequestOptions {
  const { method, path, body = null } = sent;
  const headers = {
    ...sent.headers,
    authorization: `Bearer ${keys.primary}`,
    ...('idempotency-key' in sent.headers && { 'idempotency-key': randomUUID() }),
  };
  return { method, path: new URL(url).pathname + path, headers, body };
}

/** From the first request to the verdict, beside the least possible: the time of all answers, as many at once as allowed. */
export async function timeToVerdict(tier: Tier, concurrency: number) {
  const { ms, timed } = await timedRun('live', tier, concurrency, SLOW);
  const durations = timed.map(
    ({ exchange: { outcome } }) => ('answer' in outcome && outcome.answer?.endedAt) || 0,
  );
  const answers = durations.reduce((sum, duration) => sum + duration, 0);
  return { ours: ms, bare: answers / concurrency };
}

/** From the first request of a broken service to its first failure, beside the time of its first ten completions. */
export async function timeToFailure() {
  const options = [...SLOW, '--defect', 'unknown-fields-stripped'];
  const { timed, firstFailureAt } = await timedRun('live', 'full', 4, options);
  const completions = timed.filter(
    ({ exchange }) => isChargeable(exchange.request) && hasSucceeded(exchange),
  );
  return { ours: firstFailureAt, bare: completions[COMPLETIONS - 1]?.endedAt ?? 0 };
}
