import { expect, test } from 'vitest';
import { check } from '../model/check.ts';
import { HOLDS } from '../model/ruling.ts';
import { stimulus } from '../model/stimulus.ts';
import { forecastClauses } from './forecast-clauses.ts';

const OPTIONS = {
  invariants: [],
  seed: 1,
  runs: 'fewest',
  caps: { requests: 300, completions: 80, outputTokens: 1000 },
  allow: new Set<never>(),
  profile: {},
  keys: new Set(['primary'] as const),
  control: false,
} as const;

/** Checks of ERR-4, one for each of these duties, each with the reason why its stimulus is not sent. */
function forecast(...reasons: readonly (readonly [string, string | undefined])[]) {
  const all = reasons.map(([duty, reason], i) => {
    const given = stimulus({
      name: `kind-${i}`,
      stage: 'free',
      cappedCount: 1,
      cost: () => ({ served: 1 }),
      inputs: () => ({ examples: [] }),
      send: () => Promise.resolve({ exchanges: [] }),
    });
    const costs = reason === undefined ? [{ served: 1 }] : [];
    return {
      planned: { stimulus: given, costs, ...(reason !== undefined && { reason }) },
      check: check({
        id: `c-${i}`,
        clauses: ['ERR-4'],
        decides: duty,
        title: 't',
        given,
        holds: () => HOLDS,
      }),
    };
  });
  const checks = all.map((each) => each.check);
  const planned = all.map((each) => each.planned);
  return forecastClauses({ ...OPTIONS, checks }, planned).find(({ id }) => id === 'ERR-4');
}

const [INPUT, OUTPUT] = ['refuses too large an input', 'refuses too much requested output'];

test('forecasts a clause each of whose duties is exercised', () => {
  const whole = { id: 'ERR-4', exercised: true, reason: '' };
  expect(forecast([INPUT, undefined], [OUTPUT, undefined])).toEqual(whole);
});

test('forecasts in part a clause of which a duty is not exercised, and says why', () => {
  expect(forecast([INPUT, 'no client'], [OUTPUT, undefined])).toMatchObject({
    exercised: true,
    reason: `without: ${INPUT} (no client)`,
  });
  expect(forecast([INPUT, 'no client'], [OUTPUT, 'no client'])).toMatchObject({
    exercised: false,
    reason: 'no client',
  });
});

test('names every way to a duty that is not exercised', () => {
  expect(forecast([INPUT, 'it is costly'], [INPUT, 'no size'], [OUTPUT, undefined])?.reason).toBe(
    `without: ${INPUT} (it is costly; or no size)`,
  );
});

test('forecasts in part a clause of which no selected check decides a duty', () => {
  expect(forecast([OUTPUT, undefined])).toMatchObject({
    exercised: true,
    reason: `without: ${INPUT} (no selected check decides it)`,
  });
});
