import { expect, test } from 'vitest';
import { compileAnswers } from '../../answers/compile-answers.ts';
import { answersJsonSchema } from '../../control/answer-operations.ts';
import { showRule } from '../../control/fault-operations.ts';
import { compilePlan } from '../../faults/compile-rules.ts';
import { FaultPlan } from '../../faults/fault-plan.ts';
import { planJsonSchema } from '../../faults/rule-schema.ts';
import { builtInWorld } from '../../world/built-in-world.ts';
import { asLine, completions, lineHelp, type RuleWords } from './rule-line.ts';

const armedFault = (line: string): RuleWords | undefined => {
  const [rule] = new FaultPlan(1, () => 0).arm(compilePlan([line]));
  return rule && showRule(rule).rule;
};

test.each([
  ['gateway_failure after=0 times=1', 'gateway_failure status=502 body=html phase=during-generation times=1'],
  [
    'timeout ms=100..500 model="a b"',
    'timeout ms=100..500 phase=during-generation endpoint=chat model="a b"',
  ],
  [
    'own_answer body="5"',
    'own_answer status=200 content_type=application/json body="5" phase=during-generation',
  ],
  ['service_unavailable retry_after="" probability=0.5', 'service_unavailable retry_after="" phase='],
])('writes the fault %s as a line that arms the same rule', (given, expected) => {
  const rule = armedFault(given);
  const line = asLine(rule ?? {});
  expect(line).toContain(expected);
  expect(armedFault(line)).toEqual(rule);
});

test.each([
  'text="It rains." text=b contains=weather',
  'text="true" usage.output=40 headers.x-cache=hit unchecked=true nth=2',
])('writes the answer %s as a line that arms the same rule', (given) => {
  const wordsOf = (line: string): unknown => compileAnswers([line], builtInWorld)[0]?.words;
  const line = asLine(Object(wordsOf(given)));
  expect(line.split(' ').toSorted()).toEqual(given.split(' ').toSorted());
  expect(wordsOf(line)).toEqual(wordsOf(given));
});

const PLANS = { fault: planJsonSchema(), answer: answersJsonSchema() };
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
