import { expect, test } from 'vitest';
import { FAULTS } from './fault-catalogue.ts';
import type { FaultDescription } from './fault-parameter.ts';
import { PHASES, READING_PHASES, UNCERTAIN_PHASES } from './phases.ts';

const faults: readonly (readonly [string, FaultDescription])[] = Object.entries(FAULTS);

test.each(faults)(
  '%s triggers by default where it can trigger, and lists its phases in order',
  (_, fault) => {
    expect(fault.phases).toContain(fault.defaultPhase);
    expect(fault.phases).toEqual(PHASES.filter((phase) => fault.phases.includes(phase)));
  },
);

test.each(faults)('%s gives no parameter the name of a field of every rule', (_, { parameters }) => {
  const fields = ['fault', 'phase', 'match', 'times', 'after', 'ttl', 'probability'];
  const match = ['endpoint', 'model', 'stream', 'key', 'nth', 'every', 'per'];
  expect(Object.keys(parameters).filter((name) => [...fields, ...match].includes(name))).toEqual([]);
});

test('has every phase of the shorter lists', () => {
  expect(PHASES).toEqual(expect.arrayContaining([...READING_PHASES, ...UNCERTAIN_PHASES]));
});
