import { z } from 'zod';
import type { AnswerRule } from '../answers/answer-rule.ts';
import { answerSchema } from '../answers/answer-schema.ts';
import { compileAnswers } from '../answers/compile-answers.ts';
import type { ArmedRule } from '../rules/rule-plan.ts';
import type { Service } from '../sandboxes/service.ts';
import { closedObject } from '../world/closed-object.ts';
import type { World } from '../world/world.ts';
import { compileRules, planOperations } from './plan-operations.ts';

/** Described once in the whole API document. `compileChosenAnswers` checks it. */
export const answersSchema = z.unknown().meta({ $ref: '#/components/schemas/Answers' });

const armed = closedObject({
  id: z.string(),
  rule: z.record(z.string(), z.unknown()).describe('In a form that can be armed again'),
  seen: z.int().describe('Matching requests that reached it'),
  answered: z.int(),
  unchecked: z.boolean().describe('It may break the specification'),
  over: z.boolean().describe('It cannot answer any more'),
});
const plan = closedObject({
  rules: z.array(armed).describe('In the order in which they are matched'),
  unused: z.array(z.string()).describe('IDs of the rules that never answered'),
});

/** The JSON Schema of what arms answers: a rule or a line, or a list of them. */
export function answersJsonSchema(): object {
  const rule = z.union([answerSchema, z.string()]);
  const { $schema: _, ...schema } = z.toJSONSchema(z.union([rule, z.array(rule)]), { io: 'input' });
  return schema;
}

/** Compiles answers, or one, for a world. Throws a ControlError with the place. */
export function compileChosenAnswers(words: unknown, place: string, world: World): readonly AnswerRule[] {
  return compileRules(words, { place, code: 'invalid_answer' }, (list) => compileAnswers(list, world));
}

function show({ answers }: Service): z.input<typeof plan> {
  return { rules: answers.rules().map(showAnswer), unused: answers.unfired().map(({ id }) => id) };
}

function showAnswer({
  id,
  rule: { words },
  seen,
  fired,
  over,
}: ArmedRule<AnswerRule>): z.input<typeof armed> {
  return { id, rule: { ...words }, seen, answered: fired, unchecked: words.unchecked === true, over };
}

export const ANSWER_OPERATIONS = planOperations({
  path: '/answers',
  read: { name: 'readAnswers', summary: 'Returns the chosen answers, and how often each was given' },
  add: {
    name: 'armAnswers',
    summary:
      'Arms one chosen answer or a list of them, after the armed ones; as JSON, or each on a line as for --answer',
  },
  replace: {
    name: 'replaceAnswers',
    summary: 'Replaces the armed answers by one or by a list of them, as JSON or each on a line',
  },
  clear: { name: 'clearAnswers', summary: 'Disarms every chosen answer' },
  remove: { name: 'disarmAnswer', summary: 'Disarms one chosen answer' },
  unknown: 'No armed answer has this ID',
  rules: answersSchema,
  shown: plan,
  armed: plan,
  of: ({ answers }) => answers,
  compile: (words, place, { world }) => compileChosenAnswers(words, place, world),
  show,
  arm(service, rules) {
    service.answers.arm(rules);
    return show(service);
  },
});
