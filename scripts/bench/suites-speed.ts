import { randomUUID } from 'node:crypto';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';
import { DEFAULTS, sizeOf, TIMEOUT_MS } from '../cli/check/check-defaults.ts';
import {
  type BenchRequest,
  compare,
  type Measured,
  MOCK,
  sendAll,
  type ServerProcess,
  startServer,
} from './load.ts';

const ROUNDS = 5;

/** The exchanges a second of a default run, beside a bare loop that sends the same requests. */
export async function suitesSpeed(): Promise<Measured & { readonly exchanges: number }> {
  let length = 0;
  const comparison = await compare(ROUNDS, async (round) => {
    const mock = await startServer([MOCK, 'mock']);
    try {
      const { seconds, exchanges } = await timedRun(mock, round);
      const requests = exchanges.map((each) => again(each, mock));
      ({ length } = exchanges);
      return { mock: length / seconds, bare: await sendAll(mock, requests, DEFAULTS.mock.concurrency) };
    } finally {
      await mock.stop();
    }
  });
  return { ...comparison, exchanges: length };
}

async function timedRun(
  mock: ServerProcess,
  seed: number,
): Promise<{ seconds: number; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const start = performance.now();
  await runSuites({
    target: { baseUrl: mock.url, kind: 'mock', keys: mock.keys, profile: {}, headers: {} },
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
function again({ request }: Exchange, { url, keys }: ServerProcess): BenchRequest {
  const { method, path, body } = request;
  const headers = {
    ...request.headers,
    authorization: `Bearer ${keys.primary}`,
    ...('idempotency-key' in request.headers && { 'idempotency-key': randomUUID() }),
  };
  return { method, path: new URL(url).pathname + path, headers, body };
}
