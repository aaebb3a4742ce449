import { z } from 'zod';
import type { AnswerPlan, ArmedAnswer } from '../answers/answer-plan.ts';
import type { AnswerRule } from '../answers/answer-rule.ts';
import { AnswerRuleError } from '../answers/answer-rule.ts';
import { answerSchema } from '../answers/answer-schema.ts';
import { compileAnswers } from '../answers/compile-answers.ts';
import { jsonPointer } from '../protocol/service-error.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import type { World } from '../world/world.ts';
import { ControlError, linesOf, operation } from './operation.ts';

/** Described once in the whole API document. `readAnswers` checks it. */
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

/** Compiles rules, or one, for a world. Throws a ControlError with the place. */
export function readAnswers(words: unknown, place: string, world: World): readonly AnswerRule[] {
  const json: unknown = typeof words === 'string' ? linesOf(words) : words;
  try {
    return compileAnswers(Array.isArray(json) ? json : [json], world);
  } catch (error) {
    if (!(error instanceof AnswerRuleError)) throw error;
    const path = Array.isArray(json) ? error.path : error.path.slice(1);
    const at = `${place}${jsonPointer(path)}`;
    throw new ControlError(400, 'invalid_answer', `${at || 'the body'}: ${error.problem}`, at);
  }
}

function show(answers: AnswerPlan): z.input<typeof plan> {
  return { rules: answers.rules().map(showAnswer), unused: answers.unused().map(({ id }) => id) };
}

function showAnswer({ id, words, seen, answered, over }: ArmedAnswer): z.input<typeof armed> {
  return { id, rule: { ...words }, seen, answered, unchecked: words.unchecked === true, over };
}

const about = 'world';
const path = '/answers';

const read = operation({
  name: 'readAnswers',
  method: 'GET',
  path,
  about,
  summary: 'Returns the chosen answers, and how often each was given',
  query: emptyObject,
  body: emptyObject,
  status: 200,
  answer: plan,
  run: ({ sandbox }) => show(sandbox.service.answers),
});

const add = operation({
  name: 'armAnswers',
  method: 'POST',
  path,
  about,
  summary:
    'Arms one chosen answer or a list of them, after the armed ones; as JSON, or each on a line as for --answer',
  query: emptyObject,
  body: answersSchema,
  takesText: true,
  status: 201,
  answer: plan,
  run({ sandbox, body }) {
    const { answers, world } = sandbox.service;
    answers.arm(readAnswers(body, '', world));
    return show(answers);
  },
});

const replace = operation({
  name: 'replaceAnswers',
  method: 'PUT',
  path,
  about,
  summary: 'Replaces the armed answers by one or by a list of them, as JSON or each on a line',
  query: emptyObject,
  body: answersSchema,
  takesText: true,
  status: 200,
  answer: plan,
  run({ sandbox, body }) {
    const { answers, world } = sandbox.service;
    const rules = readAnswers(body, '', world);
    answers.clear();
    answers.arm(rules);
    return show(answers);
  },
});

const clear = operation({
  name: 'clearAnswers',
  method: 'DELETE',
  path,
  about,
  summary: 'Disarms every chosen answer',
  query: emptyObject,
  body: emptyObject,
  status: 204,
  answer: z.undefined(),
  run: ({ sandbox }) => sandbox.service.answers.clear(),
});

const remove = operation({
  name: 'disarmAnswer',
  method: 'DELETE',
  path: `${path}/{rule}`,
  about,
  summary: 'Disarms one chosen answer',
  query: emptyObject,
  body: emptyObject,
  status: 204,
  answer: z.undefined(),
  run({ sandbox, named }) {
    if (!sandbox.service.answers.disarm(named))
      throw new ControlError(404, 'unknown_rule', 'No armed answer has this ID');
  },
});

export const ANSWER_OPERATIONS = [read, add, replace, clear, remove];
