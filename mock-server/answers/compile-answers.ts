import { toUtf8 } from '../protocol/answer.ts';
import type { Step } from '../protocol/service-error.ts';
import {
  AnswerRuleError,
  type AnswerRule,
  type Chosen,
  type Found,
  type AnswerNames,
  unknownNames,
} from './answer-rule.ts';
import { answerSchema, type AnswerWords } from './answer-schema.ts';
import { readExpression } from './bounded-expression.ts';
import { parseAnswer } from './parse-answer.ts';
import { digestOf, type Question } from './question.ts';
import { fillTemplate } from './template.ts';

/** A rule as a line, as an object, or as JSON gave it. */
export type GivenAnswer = string | object;

/** Compiles rules for a world. Throws an AnswerRuleError with the place, whose first step is the rule's index. */
export function compileAnswers(given: readonly unknown[], names: AnswerNames): readonly AnswerRule[] {
  const words = readAnswerRules(given);
  const [unknown] = unknownNames(words, names);
  if (unknown !== undefined) throw new AnswerRuleError(unknown.path, unknown.problem);
  return words.map((rule, index) => compileRule(rule, [index]));
}

/** Rules as they are written in JSON. Throws an AnswerRuleError, as for a file that is still to be read it does not. */
export function readAnswerRules(given: readonly unknown[]): readonly AnswerWords[] {
  return given.map((rule, index) => parseRule(rule, [index]));
}

/** Throws an AnswerRuleError. An unknown field is reported before a wrong value. */
function parseRule(given: unknown, path: readonly Step[]): AnswerWords {
  const parsed = answerSchema.safeParse(typeof given === 'string' ? parseLine(given, path) : given);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const place = [...(issue?.path ?? []), ...field].map((step) => (typeof step === 'symbol' ? '' : step));
  throw new AnswerRuleError([...path, ...place], issue?.message ?? 'is wrong');
}

function parseLine(line: string, path: readonly Step[]): unknown {
  try {
    return parseAnswer(line);
  } catch (error) {
    if (!(error instanceof AnswerRuleError)) throw error;
    throw new AnswerRuleError([...path, ...error.path], error.problem, { cause: error });
  }
}

function compileRule(words: AnswerWords, path: readonly Step[]): AnswerRule {
  if (words.file !== undefined)
    throw new AnswerRuleError(
      [...path, 'file'],
      'files are read only for --answer and for world and scenario files; send the text itself',
    );
  return { words, match: compileMatch(words.match ?? {}), choose: compileChoice(words) };
}

const NOTHING: Found = {};

/** Cheap conditions first: an expression is asked last. */
function compileMatch({
  endpoint = 'chat',
  model,
  key,
  stream,
  contains,
  matches,
  in: part = 'user',
  request,
}: NonNullable<AnswerWords['match']>): AnswerRule['match'] {
  const digest = request && (request.digest ?? digestOf(request));
  const expression = matches === undefined ? undefined : readExpression(matches);
  return (question) => {
    const isMeant =
      endpoint === question.endpoint &&
      (model === undefined || model === question.model) &&
      (key === undefined || key === question.key) &&
      (stream === undefined || stream === question.stream) &&
      (contains === undefined || question.texts[part].includes(contains)) &&
      (digest === undefined || digest === question.digest());
    if (!isMeant) return null;
    if (expression === undefined) return NOTHING;
    const found = question.time.exec(expression, question.texts[part]);
    return found && groupsOf(found);
  };
}

function groupsOf(found: RegExpExecArray): Found {
  const numbered = found.map((text: string | undefined, index) => [String(index), text ?? '']);
  const named = Object.entries(found.groups ?? {}).map(([name, text]) => [name, text ?? '']);
  return Object.fromEntries([...numbered, ...named]);
}

function compileChoice(words: AnswerWords): AnswerRule['choose'] {
  const textOf = compileText(words);
  const rest = compileRest(words);
  return (question, found, turn) => {
    const text = textOf?.(question, found, turn);
    return text === undefined ? rest : { ...rest, text };
  };
}

type TextOf = (question: Question, found: Found, turn: number) => string;

function compileText({ text, template }: AnswerWords): TextOf | undefined {
  if (template !== undefined)
    return (question, found, turn) => toUtf8(fillTemplate(template, question, found, turn));
  if (text === undefined) return undefined;
  const texts = [text].flat().map(toUtf8);
  return (_question, _found, turn) => texts[turn % texts.length] ?? '';
}

function compileRest({ tokens, finish, usage, latency, headers, unchecked }: AnswerWords): Chosen {
  return {
    ...(tokens !== undefined && { tokens }),
    ...(finish !== undefined && { finishReason: finish }),
    ...(usage?.input !== undefined && { inputTokens: usage.input }),
    ...(usage?.output !== undefined && { outputTokens: usage.output }),
    ...(latency !== undefined && { latency }),
    headers: Object.entries(headers ?? {}).flat(),
    isUnchecked: unchecked === true,
  };
}
