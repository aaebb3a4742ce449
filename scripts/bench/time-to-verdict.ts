import { CHECKS, INVARIANTS } from '../../suites/catalogue.ts';
import { type Exchange, isChargeable } from '../../suites/engine/model/exchange.ts';
import { runSuites } from '../../suites/engine/running/run-suites.ts';
import { sizeOf, TIMEOUT_MS } from '../cli/options/check-defaults.ts';
import type { Tier } from '../cli/options/check-defaults.ts';
import { COMMAND, start } from './programs.ts';

/** A completion takes so long, drawn from the seed; a refusal takes no time. */
const LATENCY = 'latency ms=500..3000';

const COMPLETIONS = 10;

interface TimedExchange {
  readonly exchange: Exchange;
  /** Milliseconds since the run began. */
  readonly endedAt: number;
}

/** A run with one key against a slow service; `options` are those of the mock. */
async function timedRun(tier: Tier, concurrency: number, seed: number, ...options: readonly string[]) {
  const mock = await start(COMMAND, 'mock', '--seed', String(seed), '--fault', LATENCY, ...options);
  const timed: TimedExchange[] = [];
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  let firstFailureAt = Infinity;
  await runSuites({
    target: {
      baseUrl: mock.url,
      kind: 'live',
      keys: { primary: mock.keys.primary },
      profile: {},
      headers: {},
    },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    ...sizeOf(tier, 'live'),
    concurrency,
    allow: new Set(),
    timeoutMs: TIMEOUT_MS,
    onExchange: (exchange) => timed.push({ exchange, endedAt: elapsed() }),
    onFirstFailure: () => (firstFailureAt = elapsed()),
  });
  const ms = elapsed();
  await mock.stop();
  return { ms, timed, firstFailureAt };
}

/** From the first request to the verdict, beside the least possible: the time of all answers, as many at once as allowed. */
export function timeToVerdict(tier: Tier, concurrency: number) {
  let seed = 0;
  return async () => async () => {
    const { ms, timed } = await timedRun(tier, concurrency, (seed += 1));
    const answers = timed.reduce((sum, { exchange }) => sum + durationOf(exchange), 0);
    return { ours: ms, bare: answers / concurrency };
  };
}

/** From the first request of a broken service to its first failure, beside the time of its first ten completions. */
export function timeToFailure(defect: string) {
  let seed = 0;
  return async () => async () => {
    const { timed, firstFailureAt } = await timedRun('full', 4, (seed += 1), '--defect', defect);
    const completions = timed.filter(({ exchange }) => isCompletion(exchange));
    return { ours: firstFailureAt, bare: completions[COMPLETIONS - 1]?.endedAt ?? 0 };
  };
}

function durationOf({ outcome }: Exchange): number {
  return outcome.kind === 'not-sent' ? 0 : (outcome.answer?.endedAt ?? 0);
}

function isCompletion({ request, outcome }: Exchange): boolean {
  return isChargeable(request) && outcome.kind === 'answered' && outcome.answer.status === 200;
}
