import { expect, onTestFinished, test } from 'vitest';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import type { Choices } from '../../mock-server/world/world.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';
import { MOCK_VARIANTS, withVariants } from '../cli/mock/mock-variants.ts';

const { choices: USUAL } = builtInWorld;

/** Every variant of the mock by itself, and what only the mock can choose. */
const WORLDS: Readonly<Record<string, Choices>> = {
  ...Object.fromEntries(Object.keys(MOCK_VARIANTS).map((name) => [name, withVariants([name]).choices])),
  'streams with named events and comments': {
    ...USUAL,
    stream: { ...USUAL.stream, eventName: 'chunk', comment: 'hello' },
  },
  'a list under models, by name': { ...USUAL, models: { shape: 'models', idField: 'name' } },
  'strict messages': {
    ...USUAL,
    messages: { extraFields: 'refuse', emptyList: 'refuse', emptyContent: 'refuse' },
  },
  'outputs of nothing': { ...USUAL, request: { ...USUAL.request, maxTokensMinimum: 0 } },
  'images by https alone': { ...USUAL, images: { schemes: ['https'] } },
};

/** The verdicts of a run against a mock of that world. */
async function verdicts(choices: Choices, runs: number | 'few', concurrency = 8) {
  const mock = await startMock({ world: { ...builtInWorld, choices }, control: true });
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

test.each(Object.entries(WORLDS))('finds nothing wrong with %s', async (_, choices) => {
  for (const runs of ['few', 5] as const) {
    const { outcome, checks } = await verdicts(choices, runs);
    const wrong = checks.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
    expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(outcome).toBe('conformant');
  }
});

test('exercises every check that needs no leave within the caps of a live target', async () => {
  const { checks, spent, cutShort } = await verdicts(builtInWorld.choices, 'few');
  const without = checks.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  const reasons = without.map(({ reason }) => reason);
  expect(reasons.filter((reason) => !reason.includes('--allow'))).toEqual([]);
  expect(cutShort).toEqual([]);
  expect(spent.requests).toBeLessThanOrEqual(300);
  expect(spent.completions).toBeLessThanOrEqual(80);
});

test('says the same of the same seed, whatever the concurrency', async () => {
  const said = async (concurrency: number) => {
    const { checks, open } = await verdicts(builtInWorld.choices, 3, concurrency);
    return {
      checks: checks.map(({ id, verdict, reason }) => ({ id, verdict, reason })),
      // Whether a repeat overtakes the first is told by the machine, not by the seed.
      open: open.filter(({ point }) => point !== 'idempotency.in_flight'),
    };
  };
  expect(await said(16)).toEqual(await said(2));
});
