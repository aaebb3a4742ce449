import { toUtf8 } from '../protocol/answer.ts';
import { readRule } from '../rules/read-rule.ts';
import { eachRule, RuleError, unknownNames, type WorldNames } from '../rules/rule-error.ts';
import { readRuleLine } from '../rules/rule-line.ts';
import { matchesRequest } from '../rules/rule-plan.ts';
import type { AnswerRule, Chosen, Found } from './answer-rule.ts';
import { answerSchema, type AnswerWords } from './answer-schema.ts';
import { readExpression } from './bounded-expression.ts';
import { digestOf, type Question } from './question.ts';
import { fillTemplate } from './template.ts';

/** A rule as a line, as an object, or as JSON gave it. */
export type GivenAnswer = string | object;

/** Compiles rules for a world. Throws a RuleError with the place, whose first step is the rule's index. */
export function compileAnswers(given: readonly unknown[], names: WorldNames): readonly AnswerRule[] {
  const words = readAnswerRules(given);
  const [unknown] = unknownNames(words, names);
  if (unknown !== undefined) throw unknown;
  return eachRule(words, compileRule);
}

/** Rules as they are written in JSON, or on a line. A rule may name a file that is still to be read. Throws a RuleError. */
export function readAnswerRules(given: readonly unknown[]): readonly AnswerWords[] {
  return eachRule(given, (rule) => readRule(rule, answerSchema, parseAnswer));
}

function compileRule(words: AnswerWords): AnswerRule {
  const { file, match = {}, times = Infinity } = words;
  if (file !== undefined)
    throw new RuleError(
      ['file'],
      'files are read only for --answer and for world and scenario files; send the text itself',
    );
  return { words, times, match: compileMatch(match), choose: compileChoice(words) };
}

const NOTHING: Found = {};

/** Cheap conditions first: an expression is asked last. */
function compileMatch(match: NonNullable<AnswerWords['match']>): AnswerRule['match'] {
  const { contains, matches, in: part = 'user', request } = match;
  const digest = request && (request.digest ?? digestOf(request));
  const expression = matches === undefined ? undefined : readExpression(matches);
  return (question) => {
    const isMeant =
      matchesRequest({ endpoint: 'chat', ...match }, question) &&
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

const MATCHES = new Set(['endpoint', 'model', 'key', 'stream', 'contains', 'matches', 'in', 'nth', 'every']);
/** Names whose values are numbers, true or false; all others are texts. */
const PLAIN = new Set(['stream', 'nth', 'every', 'times', 'tokens', 'latency', 'unchecked']);

/**
 * A rule as one line: `text="It rains." contains=weather usage.output=40 headers.x-cache=hit`; more than one `text` are
 * taken in turn. A line that does not begin with NAME= is the text itself. Throws a RuleError.
 */
export function parseAnswer(line: string): Readonly<Record<string, unknown>> {
  if (!/^\s*[\w.-]+=/.test(line)) return { text: line };
  return readRuleLine(line, {
    needed: 'NAME=VALUE is needed, with a value of more than one word in quotes',
    isText: (name) => !PLAIN.has(name) && !name.startsWith('usage.'),
    placeOf,
    list: 'text',
  });
}

/** `usage.input` is a field of `usage`. */
function placeOf(name: string): [string, string?] {
  if (MATCHES.has(name)) return ['match', name];
  const dot = name.indexOf('.');
  return dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}
