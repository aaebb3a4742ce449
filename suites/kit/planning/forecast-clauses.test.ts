import { expect, test } from 'vitest';
import { check } from '../model/check.ts';
import { HOLDS } from '../model/ruling.ts';
import { stimulus } from '../model/stimulus.ts';
import { forecastClauses } from './forecast-clauses.ts';
import type { StimulusPlan } from './planned-draws.ts';

const KNOWN: StimulusPlan = {
  kind: 'sent',
  draws: [{ served: 1, onceServed: 0, refused: 0, reads: 0, open: 0, counterparts: [], outputTokens: 0 }],
};

/** Checks of VER-2 with these IDs, each with the fate of its stimulus. */
function forecast(prospects: Readonly<Record<string, StimulusPlan>>) {
  const all = Object.entries(prospects).map(([id, prospect]) => {
    const given = stimulus({
      name: id,
      stage: 'free',
      cappedCount: 1,
      cost: () => ({}),
      inputs: () => ({ examples: [] }),
      send: () => Promise.resolve({ exchanges: [] }),
    });
    return { prospect, check: check({ id, clauses: ['VER-2'], title: 't', given, holds: () => HOLDS }) };
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
  return forecastClauses(options, of, certain).find(({ id }) => id === 'VER-2');
}

test('forecasts a clause that has essential checks given that all of them are sent', () => {
  const all = { 'client-completes': KNOWN, 'client-streams': KNOWN };
  expect(forecast(all)).toEqual({ id: 'VER-2', exercised: 'yes', reason: '' });
});

test('forecasts no clause of which an essential check is not sent, and says why', () => {
  const notSent = { kind: 'not-sent', reason: 'no client' } as const;
  const all = { 'client-lists-models': KNOWN, 'client-completes': KNOWN, 'client-streams': notSent };
  expect(forecast(all)).toMatchObject({ exercised: 'no', reason: 'no client' });
});

test('forecasts no clause of which an essential check was not selected', () => {
  expect(forecast({ 'client-completes': KNOWN })).toMatchObject({
    exercised: 'no',
    reason: 'only part of it was tested: client-streams was not selected',
  });
});

test('forecasts that it depends on the target whether a clause is exercised where an essential check does', () => {
  const depends = { ...KNOWN, unless: 'it streams' };
  const all = { 'client-completes': KNOWN, 'client-streams': depends };
  expect(forecast(all)).toMatchObject({ exercised: 'depends', reason: 'on the target: it streams' });
});
