import { expect, test } from 'vitest';
import { check } from '../model/check.ts';
import { HOLDS } from '../model/ruling.ts';
import { stimulus } from '../model/stimulus.ts';
import { planSpending } from './spending-plan.ts';

/** A check of ERR-4 that decides this duty, and why its stimulus is not sent. */
type Asked = readonly [duty: string, reason?: string];

/** What the plan says of ERR-4. */
function forecast(asked: readonly Asked[], withholds?: 'completions') {
  const checks = asked.map(([duty, reason], i) => {
    const given = stimulus({
      name: `kind-${i}`,
      stage: 'free',
      cappedCount: 1,
      skipReason: () => reason,
      cost: () => ({ refused: 1 }),
      inputs: () => ({ examples: [1] }),
      send: () => Promise.resolve({ exchanges: [] }),
    });
    const about = { clauses: ['ERR-4'], title: 't', holds: () => HOLDS } as const;
    return check({ ...about, id: `c-${i}`, decides: duty, given });
  });
  const { clauses } = planSpending({
    checks,
    invariants: [],
    seed: 1,
    runs: 'fewest',
    caps: { requests: 300, completions: 80, outputTokens: 1000 },
    allow: new Set(),
    target: { profile: {}, keys: { primary: 'sk-test' } },
    ...(withholds && { withholds }),
  });
  const { verdict, reason } = clauses.find(({ id }) => id === 'ERR-4') ?? {};
  return [verdict, reason];
}

const [INPUT, OUTPUT] = ['refuses too large an input', 'refuses too much requested output'];

const INPUT_UNSEEN = `passed in part, without: ${INPUT}`;

test.each<[string, readonly Asked[], string, string]>([
  ['each of whose duties is exercised', [[INPUT], [OUTPUT]], 'pass', ''],
  [
    'of which a duty is not exercised',
    [[INPUT, 'no client'], [OUTPUT]],
    'inconclusive',
    `${INPUT_UNSEEN} (no client)`,
  ],
])('forecasts a clause %s', (_, asked, verdict, reason) => {
  expect(forecast(asked)).toEqual([verdict, reason]);
});

test('says that a refusal alone is no pass, where no completion is requested', () => {
  const reason = 'violations are found, but a refusal alone is no pass';
  expect(forecast([[INPUT], [OUTPUT]], 'completions')).toEqual(['inconclusive', reason]);
});
