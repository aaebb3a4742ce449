import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { Check } from '../../../suites/kit/model/check.ts';
import type { Exchange } from '../../../suites/kit/model/exchange.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import { type Meddling, type Seen, startLayer } from '../support/layer.ts';

/** Everything that a run sends and reports, sorted. */
async function said(
  checks: readonly Check[],
  more: Partial<RunOptions> = {},
  meddle: (seen: Seen) => Meddling = () => undefined,
) {
  const { mock, baseUrl, close } = await startLayer(meddle, { control: true, seed: 11 });
  const { primary = '', ...others } = mock.keys;
  const exchanges: Exchange[] = [];
  const summary = await runSuites({
    target: { baseUrl, kind: 'mock', keys: { primary, ...others }, profile: {}, headers: {} },
    control: { url: mock.control ?? '' },
    checks,
    invariants: INVARIANTS,
    seed: 11,
    ...sizeOf('exhaustive', 'mock'),
    runs: 6,
    concurrency: 8,
    timeoutMs: 30_000,
    allow: new Set(['costly']),
    onExchange: (exchange) => exchanges.push(exchange),
    ...more,
  });
  await close();
  const own = summary.checks.filter(({ id }) => checks.some((each) => each.id === id));
  const verdicts = own.map(({ id, verdict, reason }) => `${id}: ${verdict} ${reason}`);
  return {
    exchanges: exchanges
      .filter(({ id }) => !TIMED.test(id))
      .map(shown)
      .toSorted(),
    verdicts: verdicts.toSorted(),
    summary,
  };
}

type Said = Awaited<ReturnType<typeof said>>;

/** What was sent and what came, without what is new each time: keys, request IDs, times. */
function shown({ id, request, outcome }: Exchange): string {
  const answer = outcome.kind === 'answered' ? outcome.answer : undefined;
  const came = Buffer.from(answer?.body ?? []).toString();
  return [
    id,
    `${request.method} ${request.path} ${request.credential.kind}`,
    Buffer.from(request.body ?? []).toString('latin1'),
    `${outcome.kind} ${answer?.status}`,
    came.replaceAll(/req_[0-9a-f]+|chatcmpl-[\w-]+/g, 'ID'),
  ].join('\n');
}

/** How many of these go out depends on how long the answers take: time is what they are about. */
const TIMED = /^(?:long-streams|idempotency-keys|rate-limit-burst)\//;

/** In an order that has nothing to do with that of the catalogue. */
function shuffled(checks: readonly Check[]): readonly Check[] {
  const place = ({ id }: Check): string => hash('sha256', `shuffle ${id}`);
  return checks.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** A service that breaks many clauses, the same way every time. */
function lenient({ method, body }: Seen): Meddling {
  if (method === 'GET' || !body.includes('"temperature"')) return undefined;
  return { instead: body.replaceAll(/"temperature":[^,}]+/g, '"temperature":0.5') };
}

function expectSame(one: Said, other: Said): void {
  expect(other.verdicts).toEqual(one.verdicts);
  expect(other.summary.open).toEqual(one.summary.open);
  expect(other.exchanges).toEqual(one.exchanges);
}

test('sends and reports the same in any order and at any concurrency', async () => {
  const one = await said(CHECKS, { concurrency: 1 });
  expect(one.exchanges.length).toBeGreaterThan(800);
  expectSame(one, await said(shuffled(CHECKS), { concurrency: 12 }));
});

test('sends and reports the same given a service that breaks the specification, and given few draws', async () => {
  for (const size of [{ runs: 4 }, { runs: 'few' }] as const) {
    const one = await said(CHECKS, { ...size, concurrency: 1 }, lenient);
    const other = await said(shuffled(CHECKS), { ...size, concurrency: 12 }, lenient);
    expect(one.summary.outcome).toBe('violations');
    expectSame(one, other);
  }
});

test.each([
  ['keeps the specification', undefined],
  ['breaks it', lenient],
])('gives each check the same verdict alone as among all, given a service that %s', async (_, meddle) => {
  const whole = await said(CHECKS, { runs: 'few' }, meddle);
  for (const check of CHECKS) {
    const alone = await said([check], { runs: 'few' }, meddle);
    const [verdict = ''] = alone.verdicts;
    expect.soft(whole.verdicts).toContain(verdict);
  }
});
