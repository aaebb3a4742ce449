import { expect, test } from 'vitest';
import { MATCH, RULE } from '../rules/match.ts';
import { PHASES } from '../rules/phases.ts';
import { compileFault } from './compile-faults.ts';
import { FAULTS } from './fault-catalogue.ts';

const faults = Object.entries(FAULTS);

test.each(faults)(
  '%s triggers by default where it can trigger, and lists its phases in order',
  (_, fault) => {
    expect(fault.phases).toContain(fault.defaultPhase);
    expect(fault.phases).toEqual(PHASES.filter((phase) => fault.phases.some((each) => each === phase)));
  },
);

test.each(faults)('%s gives no parameter the name of a field of every rule', (_, { parameters }) => {
  const taken = new Set(['fault', 'phase', ...Object.keys(RULE), ...Object.keys(MATCH)]);
  expect(Object.keys(parameters).filter((name) => taken.has(name))).toEqual([]);
});

test.each(faults)(
  '%s can be armed at each of its phases, and again as it is shown then',
  (fault, { phases }) => {
    for (const phase of phases) {
      const { words } = compileFault({ fault, phase, times: 3, ttl: 1000, probability: 0.5 });
      expect(compileFault(JSON.parse(JSON.stringify(words))).words).toEqual(words);
    }
  },
);
