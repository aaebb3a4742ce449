import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { InputError } from '../input/input-error.ts';
import { compileMatch, type Found, RULE, type WorldNames } from '../rules/match.ts';
import { compileEach, readRule, type RuleKind } from '../rules/rule-kind.ts';
import type { Rule } from '../rules/rule-plan.ts';
import { type Subject, textIn } from '../rules/subject.ts';
import { numberWithin, text, texts, wholeNumber, yesOrNo } from '../rules/words.ts';

/** What a template can repeat of a request. */
const VALUES: Readonly<Record<string, (subject: Subject) => string | number | undefined>> = {
  user: (subject) => textIn(subject, 'user'),
  system: (subject) => textIn(subject, 'system'),
  model: ({ model }) => model,
  key: ({ key }) => key,
  messages: ({ sent }) => sent?.messages.length,
};

const PLACE = /\{\{(?<name>[^{}]*)\}\}/g;
/** Also names what an expression found: `{{group.1}}`, `{{group.city}}`. */
const GROUP = /^group\.(?<group>\w+)$/;

const TEMPLATE_NAMES = [...Object.keys(VALUES), 'turn', 'group.NAME'];

const LARGEST_USAGE = 1_000_000_000;
/** Some megabytes, which are made for each such answer. */
const LONGEST_OWN_WORDS = 1_000_000;
const A_DAY = 86_400_000;
/** The finish reasons of a service without tool calls. Others only where nothing is checked. */
const FINISH_REASONS = ['stop', 'length', 'content_filter'] as const;

const tokens = wholeNumber(0, LARGEST_USAGE).describe('Absent: as the mock counts').exactOptional();

/** What a rule says of an answer. */
export const ANSWER = {
  text: texts
    .describe('The text; in a list, each request gets the next text, starting over after the last')
    .exactOptional(),
  template: text
    .describe(
      `A text with {{${TEMPLATE_NAMES.join('}}, {{')}}}: parts of the request, the number of this answer, and groups of the match expression, by number or name`,
    )
    .exactOptional(),
  tokens: wholeNumber(1, LONGEST_OWN_WORDS).describe('A generated text of this many tokens').exactOptional(),
  finish: text
    .describe(`The finish reason: ${FINISH_REASONS.join(', ')}; absent: stop, or length if the text was cut`)
    .exactOptional(),
  usage: z
    .strictObject({ input: tokens, output: tokens })
    .describe('Tokens reported and debited')
    .exactOptional(),
  latency: numberWithin(0, A_DAY)
    .describe('Milliseconds that the completion takes; absent: the latency of the world')
    .exactOptional(),
  headers: z
    .record(z.string(), text, 'expected headers, as an object of texts')
    .describe('Additional headers of the answer')
    .exactOptional(),
  unchecked: yesOrNo.describe('Send the answer even if it breaks the specification').exactOptional(),
};

const FIELDS = { ...RULE, ...ANSWER };

const schema = z.strictObject(FIELDS).meta({
  description: 'What the mock answers instead of a generated text, and to which requests',
  examples: [{ match: { contains: 'weather' }, text: 'It rains.' }],
});

/** A rule as JSON has it: `{ match: { contains: 'weather' }, text: 'It rains.' }`. */
export type AnswerWords = z.output<typeof schema>;

/** A rule as a line, as an object, or as JSON gave it. */
export type GivenAnswer = string | AnswerWords | object;

export const ANSWER_KIND: RuleKind<AnswerWords> = {
  schema,
  examples: ['text="It rains." contains=weather', 'finish=length usage.output=40 nth=2', 'It rains.'],
  fieldsOf: () => FIELDS,
};

/**
 * Reads a rule from JSON, or from a line such as `text="It rains." contains=weather usage.output=40 headers.x-cache=hit`.
 * A line that does not begin with NAME= is the text itself. Throws a InputError.
 */
export function readAnswer(given: unknown): AnswerWords {
  const isText = typeof given === 'string' && !/^\s*[\w.-]+=/.test(given);
  const words = readRule(isText ? { text: given } : given, ANSWER_KIND);
  for (const [place, problem] of mistakes(words)) throw new InputError(place, problem);
  return words;
}

const CONTENTS = ['text', 'template', 'tokens'] as const;
/** What the answer to a request without a body has not. */
const OF_COMPLETIONS = ['template', 'tokens', 'finish', 'usage'] as const;
const PLACES = TEMPLATE_NAMES.map((name) => `{{${name}}}`).join(', ');

/** What contradicts itself; and, unless it is unchecked, what could never keep the specification. What depends on the request is seen to when it is answered. */
function* mistakes(words: AnswerWords): Generator<readonly [path: readonly string[], problem: string]> {
  const { match: { endpoint = 'chat' } = {}, template = '', headers = {}, finish, usage } = words;
  const [first, second] = CONTENTS.filter((name) => words[name] !== undefined);
  if (second !== undefined) yield [[second], `cannot be combined with ${first}: both set the text`];
  for (const unknown of unknownPlaces(template))
    yield [['template'], `{{${unknown}}} is not a placeholder; the placeholders are ${PLACES}`];
  const foreign = OF_COMPLETIONS.find((name) => endpoint !== 'chat' && words[name] !== undefined);
  if (foreign !== undefined) yield [[foreign], `only for chats, not for the endpoint ${endpoint}`];
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) yield [['headers', name], problem];
  }
  if (words.unchecked === true) return;
  // The lists of models are what the world says: a text of one's own takes the place of the whole body.
  if (endpoint !== 'chat' && first !== undefined)
    yield [[first], `a body for ${endpoint} is not validated: add unchecked=true, or edit the world`];
  if ([words.text].flat().includes(''))
    yield [['text'], 'an empty answer breaks the specification (STR-3); unchecked=true sends it anyway'];
  if (finish !== undefined && !FINISH_REASONS.some((reason) => reason === finish))
    yield [['finish'], `expected one of ${FINISH_REASONS.join(', ')}; unchecked=true allows any`];
  if (usage?.output === 0) yield [['usage', 'output'], 'expected at least 1; unchecked=true allows 0'];
}

/** Headers that frame the answer, or that the mock sends itself. */
const OWN =
  /^(?:connection|content-(?:encoding|length|type)|date|idempotency-replayed|keep-alive|transfer-encoding|x-request-id)$/i;

/** Why an answer cannot have this header; undefined: it can. */
function headerProblem(name: string, value: string): string | undefined {
  if (OWN.test(name)) return 'the mock sends this header itself';
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'not a valid HTTP header';
  }
}

/** What is said instead of the model's own answer, to one request. A repeat of its Idempotency-Key gets it again. */
export interface Chosen extends Pick<
  AnswerWords,
  'tokens' | 'finish' | 'usage' | 'latency' | 'headers' | 'unchecked'
> {
  /** Whole. Absent: the model's own words. */
  readonly text?: string;
}

export interface AnswerRule extends Rule {
  readonly words: AnswerWords;
  /** What is chosen for the request that the rule answers as its `turn`th, from 0. */
  readonly choose: (subject: Subject, found: Found, turn: number) => Chosen;
}

/** Compiles rules for a world, or one. Throws an InputError; in a list, its path begins with the index of the rule. */
export function compileAnswers(given: unknown, world: WorldNames): readonly AnswerRule[] {
  return compileEach(given, world, compileAnswer);
}

function compileAnswer(given: unknown): AnswerRule {
  const words = readAnswer(given);
  return { words, meets: compileMatch({ endpoint: 'chat', ...words.match }), choose: compileChoice(words) };
}

function compileChoice({ text: own = [], template, ...words }: AnswerWords): AnswerRule['choose'] {
  const list = [own].flat();
  return (subject, found, turn) => {
    const said =
      template === undefined ? list[turn % list.length] : fillTemplate(template, subject, found, turn);
    return said === undefined ? words : { ...words, text: said };
  };
}

/** The names in a template that nothing can be put in place of. */
function unknownPlaces(template: string): readonly string[] {
  const names = [...template.matchAll(PLACE)].map(({ groups }) => groups?.['name']?.trim() ?? '');
  return names.filter((name) => name !== 'turn' && !Object.hasOwn(VALUES, name) && !GROUP.test(name));
}

/** Fills a template. A group that the expression did not find is an empty text. */
function fillTemplate(template: string, subject: Subject, found: Found, turn: number): string {
  return template.replaceAll(PLACE, (_whole, place: string) => {
    const name = place.trim();
    if (name === 'turn') return String(turn + 1);
    const group = GROUP.exec(name)?.groups?.['group'];
    return group === undefined ? String(VALUES[name]?.(subject) ?? '') : (found[group] ?? '');
  });
}
