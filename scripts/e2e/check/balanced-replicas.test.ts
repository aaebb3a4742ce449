import { once } from 'node:events';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import { shortRun } from '../support/journalled-run.ts';

const OWN_TO_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

/** Passes chats on to the replica that `choose` names for each, and returns its base URL. */
async function startBalancer(replicas: readonly Mock[], choose: (nth: number) => number): Promise<string> {
  const pools = replicas.map(({ url }) => new Pool(new URL(url).origin));
  let chats = 0;
  const server = createServer((request, response) => {
    const pool = pools[request.method === 'POST' ? choose((chats += 1)) : 0];
    const headers = Object.entries(request.headers).filter(([name]) => !OWN_TO_THE_CONNECTION.has(name));
    const { method = 'GET', url: path = '/' } = request;
    const body = method === 'POST' ? request : null;
    pool
      ?.stream({ method, path, headers: Object.fromEntries(headers), body }, (answer) => {
        const sent = Object.entries(answer.headers).filter(([name]) => !OWN_TO_THE_CONNECTION.has(name));
        return response.writeHead(answer.statusCode, Object.fromEntries(sent));
      })
      .catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
    await Promise.all(pools.map((pool) => pool.destroy()));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the balancer listens at no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

const NEED_CONTROL = CHECKS.filter(({ given }) => given.stage === 'control');

/** The verdicts of a run through a balancer, with the control URL of one of its two replicas. */
async function balancedRun(choose: (nth: number) => number) {
  const replicas = await Promise.all([1, 2].map((seed) => startMock({ seed, control: true })));
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
  });
  const [mine] = replicas;
  const baseUrl = await startBalancer(replicas, choose);
  const target = {
    baseUrl,
    kind: 'live',
    keys: { primary: mine?.keys['primary'] ?? '' },
    profile: {},
    headers: {},
  } as const;
  return runSuites(
    shortRun(target, {
      ...sizeOf('full', 'live'),
      checks: NEED_CONTROL,
      control: { url: mine?.control ?? '', patienceMs: 50 },
    }),
  );
}

const isBlame = (verdict: string) => /fail|warn|error/.test(verdict);

test('decides nothing about the workspace given the control URL of a replica that gets no chat', async () => {
  const { checks } = await balancedRun(() => 1);
  const verdicts = new Map(checks.map(({ id, verdict }) => [id, verdict]));
  expect([...verdicts.values()].filter(isBlame)).toEqual([]);
  expect(NEED_CONTROL.filter(({ id }) => verdicts.get(id) === 'pass').map(({ id }) => id)).toEqual([]);
  const undecided = ['success-is-debited', 'refusal-costs-nothing', 'uncertain-stays-under-review'];
  for (const id of [...undecided, 'unavailability-is-error'])
    expect([id, verdicts.get(id)]).toEqual([id, 'inconclusive']);
}, 30_000);

test('blames nobody given the control URL of one of two replicas that get chats in turn', async () => {
  const { checks } = await balancedRun((nth) => nth % 2);
  expect(checks.filter(({ verdict }) => isBlame(verdict))).toEqual([]);
}, 30_000);
