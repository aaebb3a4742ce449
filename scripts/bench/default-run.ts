import { randomUUID } from 'node:crypto';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';
import { DEFAULTS, sizeOf, TIMEOUT_MS } from '../cli/check/check-defaults.ts';
import { type BenchRequest, sendAll } from './chats.ts';
import { compare, type Row } from './measure.ts';
import { COMMAND, type Program, start } from './programs.ts';

const ROUNDS = 5;
const { concurrency, tier, allow } = DEFAULTS.mock;

/** A run against the mock, and a loop that only sends the same requests. */
export async function defaultRun(): Promise<readonly Row[]> {
  let [mock, seed] = [await start(COMMAND, 'mock'), 0];
  let exchanges: readonly Exchange[] = [];
  const run = async () => {
    await mock.stop();
    mock = await start(COMMAND, 'mock');
    const started = performance.now();
    exchanges = await exchangesOfRun(mock, (seed += 1));
    return { aSecond: (exchanges.length * 1000) / (performance.now() - started) };
  };
  const loop = async () => {
    const again = exchanges.map((each) => requestAgain(each, mock));
    return { aSecond: await sendAll(mock, again, concurrency) };
  };
  const measured = await compare(ROUNDS, run, loop);
  const what = `exchanges a second of a default run of ${exchanges.length.toLocaleString('en')} exchanges`;
  return [{ what, ...measured('aSecond'), goal: 'at least 0.6' }];
}

async function exchangesOfRun({ url, keys }: Program, seed: number): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  await runSuites({
    target: { baseUrl: url, kind: 'mock', keys, profile: {}, headers: {} },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    ...sizeOf(tier, 'mock'),
    concurrency,
    allow: new Set(allow),
    timeoutMs: TIMEOUT_MS,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  return exchanges;
}

function requestAgain({ request }: Exchange, { url, keys }: Program): BenchRequest {
  const { method, path, body = null } = request;
  const headers = {
    ...request.headers,
    authorization: `Bearer ${keys.primary}`,
    ...('idempotency-key' in request.headers && { 'idempotency-key': randomUUID() }),
  };
  return { method, path: new URL(url).pathname + path, headers, body };
}
