import { expect, test } from 'vitest';
import { check } from '../model/check.ts';
import { HOLDS } from '../model/ruling.ts';
import { stimulus } from '../model/stimulus.ts';
import { forecastClauses } from './forecast-clauses.ts';
import type { StimulusPlan } from './planned-draws.ts';

const KNOWN: StimulusPlan = {
  kind: 'sent',
  draws: [
    {
      served: 1,
      onceServed: 0,
      refused: 0,
      reads: 0,
      open: 0,
      counterparts: [],
      outputTokens: 0,
      isSpare: false,
    },
  ],
};

/** Checks of ERR-4, one for each of these duties, each with the fate of its stimulus. */
function forecast(prospects: Readonly<Record<string, StimulusPlan>>) {
  const all = Object.entries(prospects).map(([duty, prospect]) => {
    const id = duty.replaceAll(' ', '-');
    const given = stimulus({
      name: id,
      stage: 'free',
      cappedCount: 1,
      cost: () => ({}),
      inputs: () => ({ examples: [] }),
      send: () => Promise.resolve({ exchanges: [] }),
    });
    return {
      prospect,
      check: check({ id, clauses: ['ERR-4'], decides: duty, title: 't', given, holds: () => HOLDS }),
    };
  });
  const options = {
    checks: all.map((each) => each.check),
    invariants: [],
    seed: 1,
    runs: 'fewest',
    caps: { requests: 300, completions: 80, outputTokens: 1000 },
    allow: new Set<never>(),
    kind: 'live',
    profile: {},
    keys: new Set(['primary'] as const),
    control: false,
  } as const;
  const of = new Map(all.map((each) => [each.check.given, each.prospect]));
  const certain = new Map(all.map((each) => [each.check.given, 1]));
  return forecastClauses(options, of, certain).find(({ id }) => id === 'ERR-4');
}

const [INPUT, OUTPUT] = ['refuses too large an input', 'refuses too much requested output'];

test('forecasts a clause each of whose duties is exercised', () => {
  const all = { [INPUT]: KNOWN, [OUTPUT]: KNOWN };
  expect(forecast(all)).toEqual({ id: 'ERR-4', exercised: 'yes', reason: '' });
});

test('forecasts in part a clause of which a duty is not exercised, and says why', () => {
  const notSent = { kind: 'not-sent', reason: 'no client' } as const;
  expect(forecast({ [INPUT]: notSent, [OUTPUT]: KNOWN })).toMatchObject({
    exercised: 'yes',
    reason: `without: ${INPUT} (no client)`,
  });
  expect(forecast({ [INPUT]: notSent, [OUTPUT]: notSent })).toMatchObject({
    exercised: 'no',
    reason: 'no client',
  });
});

test('forecasts in part a clause of which no selected check decides a duty', () => {
  expect(forecast({ [OUTPUT]: KNOWN })).toMatchObject({
    exercised: 'yes',
    reason: `without: ${INPUT} (no selected check decides it)`,
  });
});

test('forecasts in part a clause of which a duty depends on the target', () => {
  const depends = { ...KNOWN, unless: 'it streams' };
  expect(forecast({ [INPUT]: depends, [OUTPUT]: KNOWN })).toMatchObject({
    exercised: 'yes',
    reason: `without: ${INPUT} (on the target: it streams)`,
  });
  expect(forecast({ [INPUT]: depends, [OUTPUT]: depends })).toMatchObject({ exercised: 'depends' });
});
