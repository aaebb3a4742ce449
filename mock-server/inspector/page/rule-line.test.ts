import { expect, test } from 'vitest';
import { RULE_SCHEMAS } from '../../control/rule-operations.ts';
import { fieldsOf, valueIn, withValue } from './rule-line.ts';

type RuleField = ReturnType<typeof fieldsOf>[number];

const PLANS = { fault: RULE_SCHEMAS.FaultPlan, answer: RULE_SCHEMAS.Answers };

type PlanName = keyof typeof PLANS;

function field(plan: PlanName, line: string, name: string): RuleField {
  const found = fieldsOf(PLANS[plan], line).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
}

const names = (plan: PlanName, line: string): readonly string[] =>
  fieldsOf(PLANS[plan], line).map(({ name }) => name);

test('has the fields of the fault that the line names, and no field that a line cannot say', () => {
  expect(names('fault', '')).toEqual(['fault']);
  expect(names('fault', 'gateway_failure')).toEqual(
    expect.arrayContaining(['fault', 'phase', 'times', 'status', 'body', 'model', 'idempotency_key']),
  );
  expect(names('answer', '')).toEqual(
    expect.arrayContaining(['text', 'usage.output', 'headers', 'contains']),
  );
  expect(names('answer', '').filter((name) => /^(?:file|request|match|fault)$/.test(name))).toEqual([]);
});

test('tells what a field means and which values it has', () => {
  const body = field('fault', 'gateway_failure', 'body');
  expect(body.meaning).toMatch(/HTML page.*default "html"\)$/);
  expect(body.values).toEqual(['html', 'text', 'empty']);
  const { values, titles = [] } = field('fault', '', 'fault');
  expect(titles[values.indexOf('timeout')]).toBe('timeout: No answer arrives, or it arrives late');
});

test.each<[PlanName, string, string, string]>([
  ['fault', 'timeout times=2 model=m', 'fault', 'timeout'],
  ['fault', 'timeout times=2 model=m', 'times', '2'],
  ['fault', 'timeout times=2 model=m', 'model', 'm'],
  ['fault', 'timeout times=2 model=m', 'key', ''],
  ['answer', String.raw`text="It \"rains\".\n" headers.x-a=b headers.x-c="d e"`, 'text', 'It "rains".\n'],
  ['answer', String.raw`text=a headers.x-a=b headers.x-c="d e"`, 'headers', 'x-a: b\nx-c: d e'],
])('reads from the line of a %s %s the field %s: "%s"', (plan, line, name, value) => {
  const read = field(plan, line, name);
  expect(valueIn(line, read)).toBe(value);
  const written = withValue(PLANS[plan], line, read, value);
  expect(fieldsOf(PLANS[plan], written).map((each) => valueIn(written, each))).toEqual(
    fieldsOf(PLANS[plan], line).map((each) => valueIn(line, each)),
  );
});

test.each<[PlanName, string, string, string, string]>([
  ['fault', '', 'fault', 'timeout', 'timeout'],
  ['fault', 'gateway_failure status=500 times=1', 'fault', 'timeout', 'timeout times=1'],
  ['fault', 'timeout times=1', 'times', '', 'timeout'],
  ['fault', 'timeout', 'contains', 'a b', 'timeout contains="a b"'],
  ['answer', 'text=a headers.x-a=b', 'headers', 'x-c: d: e', 'text=a headers.x-c="d: e"'],
])('writes into the line of a %s "%s" the field %s as "%s": %s', (plan, line, name, value, written) => {
  expect(withValue(PLANS[plan], line, field(plan, line, name), value)).toBe(written);
});
