import { expect, test } from 'vitest';
import { RULE_SCHEMAS } from '../../control/rule-operations.ts';
import { completions, lineHelp } from './rule-line.ts';

const PLANS = { fault: RULE_SCHEMAS.FaultPlan, answer: RULE_SCHEMAS.Answers };
const { fault: PLAN, answer: ANSWERS } = PLANS;

test.each([
  ['fault', '', 'gateway_failure'],
  ['fault', 'gate', 'gateway_failure'],
  ['fault', 'gateway_failure ', 'gateway_failure phase=after-debit'],
  ['fault', 'gateway_failure phase=after-debit st', 'gateway_failure phase=after-debit stream=true'],
  ['fault', 'gateway_failure phase=after-debit st', 'gateway_failure phase=after-debit status='],
  ['answer', '', 'text='],
  ['answer', 'text=a ', 'text=a usage.output='],
] as const)('completes the line of a %s from its schema: "%s"', (plan, line, expected) => {
  expect(completions(PLANS[plan], line)).toContain(expected);
});

test('offers no name twice, and nothing that no line can say', () => {
  expect(completions(PLAN, 'timeout times=1 ').filter((line) => line.endsWith('times='))).toEqual([]);
  expect(completions(ANSWERS, '').filter((line) => /^(?:file|request|match)\b/.test(line))).toEqual([]);
});

test('tells what a fault takes, or which faults there are', () => {
  const told = (line: string): unknown =>
    lineHelp(PLAN, line).find(({ name }) => /^(?:body|timeout)$/.test(name));
  expect(told('gateway_failure')).toMatchObject({
    meaning: expect.stringMatching(/; html \| text \| empty; default/),
  });
  expect(told('nothing')).toMatchObject({ meaning: expect.stringContaining('No answer arrives') });
});
