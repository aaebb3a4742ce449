import { randomUUID } from 'node:crypto';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';
import { DEFAULTS, sizeOf, TIMEOUT_MS } from '../cli/check/check-defaults.ts';
import { type BenchRequest, keyOf, median, MOCK, sendAll, type ServerProcess, startServer } from './load.ts';

const ROUNDS = 5;

export interface SuitesSpeed {
  /** Exchanges of a default run. */
  readonly exchanges: number;
  /** Exchanges a second, medians. */
  readonly suites: number;
  readonly bare: number;
  readonly ratio: number;
}

/** The exchanges a second of a default run, beside a bare loop that sends the same requests, in turns. */
export async function suitesSpeed(): Promise<SuitesSpeed> {
  const rounds: { suites: number; bare: number; exchanges: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const mock = await startServer([MOCK, 'mock']);
    try {
      const { seconds, exchanges } = await timedRun(mock, round);
      const bare = await sendAll(
        new URL(mock.url).origin,
        exchanges.map((each) => again(each, mock)),
        DEFAULTS.mock.concurrency,
      );
      rounds.push({ suites: exchanges.length / seconds, bare, exchanges: exchanges.length });
    } finally {
      await mock.stop();
    }
  }
  return {
    exchanges: median(rounds.map((round) => round.exchanges)),
    suites: median(rounds.map((round) => round.suites)),
    bare: median(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.suites / round.bare)),
  };
}

async function timedRun(
  mock: ServerProcess,
  seed: number,
): Promise<{ seconds: number; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const start = performance.now();
  await runSuites({
    target: {
      baseUrl: mock.url,
      kind: 'mock',
      keys: { primary: keyOf(mock), ...mock.keys },
      profile: {},
      headers: {},
    },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    ...sizeOf(DEFAULTS.mock.tier, 'mock'),
    concurrency: DEFAULTS.mock.concurrency,
    allow: new Set(DEFAULTS.mock.allow),
    timeoutMs: TIMEOUT_MS,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  return { seconds: (performance.now() - start) / 1000, exchanges };
}

/** The request of an exchange once more, as a new one. */
function again({ request }: Exchange, mock: ServerProcess): BenchRequest {
  const headers: Record<string, string> = { ...request.headers, authorization: `Bearer ${keyOf(mock)}` };
  if ('idempotency-key' in headers) headers['idempotency-key'] = randomUUID();
  return {
    method: request.method,
    path: new URL(mock.url).pathname + request.path,
    headers,
    body: request.body,
  };
}
