import { expect, test } from 'vitest';
import { type FaultDescription, FAULTS, isFaultName } from './fault-catalogue.ts';
import { PHASES, READING_PHASES, UNCERTAIN_PHASES } from './phases.ts';

const faults: readonly (readonly [string, FaultDescription])[] = Object.entries(FAULTS);

test.each(faults)('%s strikes by default where it can strike, and its phases are in order', (_, fault) => {
  expect(fault.phases).toContain(fault.defaultPhase);
  expect(fault.phases).toEqual(PHASES.filter((phase) => fault.phases.includes(phase)));
});

test.each(faults)('%s names no parameter as a field that every rule has', (_, { parameters }) => {
  const fields = ['fault', 'phase', 'match', 'times', 'after', 'ttl', 'probability'];
  const match = ['endpoint', 'model', 'stream', 'key', 'nth'];
  expect(Object.keys(parameters).filter((name) => [...fields, ...match].includes(name))).toEqual([]);
});

test.each(faults)('%s can take the defaults of its parameters', (_, { parameters }) => {
  const impossible = Object.values(parameters).filter((parameter) =>
    parameter.kind === 'choice'
      ? !parameter.choices.includes(parameter.default)
      : (parameter.default ?? parameter.minimum) < parameter.minimum,
  );
  expect(impossible).toEqual([]);
});

test('knows the phases that others are made of', () => {
  expect(PHASES).toEqual(expect.arrayContaining([...READING_PHASES, ...UNCERTAIN_PHASES]));
});

test('takes no inherited name for a fault', () => {
  expect(['timeout', 'constructor', '__proto__'].map(isFaultName)).toEqual([true, false, false]);
});
