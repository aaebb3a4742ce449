import { expect, onTestFinished, test } from 'vitest';
import { type MockOptions, startMock } from '../../mock-server/start-mock.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';

/** The verdicts of a run against the mock as it is out of the box, or with these options. */
async function verdicts(runs: number | 'few', concurrency = 8, options: MockOptions = {}) {
  const mock = await startMock({ ...options, control: true });
  onTestFinished(() => mock.close());
  const { primary = '', ...others } = mock.keys;
  const summary = await runSuites({
    target: { baseUrl: mock.url, kind: 'mock', keys: { primary, ...others }, profile: {}, headers: {} },
    control: { url: mock.control ?? '' },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed: 1,
    runs,
    concurrency,
    timeoutMs: 30_000,
    caps: {
      requests: runs === 'few' ? 300 : Infinity,
      completions: runs === 'few' ? 80 : Infinity,
      outputTokens: 16,
    },
    allow: new Set(),
  });
  expect(mock.ledger.invariants()).toEqual([]);
  return summary;
}

test('exercises every check that needs no leave within the caps of a live target', async () => {
  const { checks, spent, cutShort } = await verdicts('few');
  const without = checks.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  // No front stands before the mock, whose pages one check looks at.
  const others = without.filter(({ id }) => id !== 'front-error-object').map(({ reason }) => reason);
  expect(others.filter((reason) => !reason.includes('--allow'))).toEqual([]);
  expect(cutShort).toEqual([]);
  expect(spent.requests).toBeLessThanOrEqual(300);
  expect(spent.completions).toBeLessThanOrEqual(80);
});

test('finds nothing wrong in chosen answers', async () => {
  const answers = [
    'text="Grüße 🌿" times=20',
    'template="{{user}} and so on, as you said." matches=".+" every=3',
    'tokens=40 every=2 usage.input=9',
    'headers.x-cache=hit finish=content_filter usage.output=2',
  ];
  const { checks, outcome } = await verdicts(3, 8, { answers });
  expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect(outcome).toBe('conformant');
});

test('says the same of the same seed, whatever the concurrency', async () => {
  const said = async (concurrency: number) => {
    const { checks, open } = await verdicts(3, concurrency);
    return {
      checks: checks.map(({ id, verdict, reason }) => ({ id, verdict, reason })),
      // Whether a repeat overtakes the first is told by the machine, not by the seed.
      open: open.filter(({ point }) => point !== 'idempotency.in_flight'),
    };
  };
  expect(await said(16)).toEqual(await said(2));
});
