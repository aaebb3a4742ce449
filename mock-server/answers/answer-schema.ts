import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import type { Endpoint } from '../protocol/request.ts';
import { objectError, oneOf, wholeNumber } from '../rules/read-rule.ts';
import { readExpression } from './bounded-expression.ts';
import { TEXT_PARTS } from './question.ts';
import { TEMPLATE_NAMES, unknownPlaces } from './template.ts';

const ENDPOINT_NAMES = ['chat', 'models', 'vision'] as const satisfies readonly Endpoint[];
const LARGEST = 1_000_000_000;
/** Some megabytes, which are made for each such answer. */
const LONGEST_OWN_WORDS = 1_000_000;
/** The finish reasons of a service without tool calls. Others only where nothing is checked. */
const FINISH_REASONS = ['stop', 'length', 'content_filter'] as const;

function known(what: string, shape: object) {
  return objectError(`expected ${what}, as an object`, `${what} has`, Object.keys(shape));
}

const string = z.string('expected a text');

const REQUEST = {
  messages: z.array(
    z.looseObject({
      role: string,
      content: z.union([string, z.array(z.looseObject({}))], 'expected a content'),
    }),
    'expected messages',
  ),
  temperature: z.number('expected a number').exactOptional(),
  max_tokens: z.number('expected a number').exactOptional(),
  digest: string
    .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hexadecimal')
    .describe('Of what was asked, where a secret was taken out of it')
    .exactOptional(),
};

const MATCH = {
  endpoint: oneOf(ENDPOINT_NAMES).describe('Absent: chat').exactOptional(),
  model: string.exactOptional(),
  key: string.describe('The name of a key').exactOptional(),
  stream: z.boolean('expected true or false').exactOptional(),
  contains: string.min(1, 'expected a text').describe('The text contains this').exactOptional(),
  matches: string
    .refine(isExpression, 'not a regular expression of JavaScript')
    .describe('The text matches this regular expression: its source, or /source/flags')
    .exactOptional(),
  in: oneOf(TEXT_PARTS)
    .describe('The text: of the last user message (the default), the system messages, or all')
    .exactOptional(),
  request: z
    .strictObject(REQUEST, { error: known('a request', REQUEST) })
    .describe('Exactly this was asked')
    .exactOptional(),
  nth: wholeNumber(1, LARGEST).describe('Only this one of the matching requests').exactOptional(),
  every: wholeNumber(1, LARGEST).describe('Only every so many of the matching requests').exactOptional(),
};

function isExpression(text: string): boolean {
  try {
    readExpression(text);
    return true;
  } catch {
    return false;
  }
}

const USAGE = {
  input: wholeNumber(0, LARGEST).describe('Absent: as the mock counts').exactOptional(),
  output: wholeNumber(0, LARGEST).describe('Absent: as the mock counts').exactOptional(),
};

const FIELDS = {
  match: z
    .strictObject(MATCH, { error: known('a match', MATCH) })
    .describe('The requests that the rule is for: those that have all of these')
    .exactOptional(),
  times: wholeNumber(1, LARGEST).describe('Absent: always').exactOptional(),
  text: z
    .union([string, z.array(string).min(1, 'expected a text')], 'expected a text, or a list of texts')
    .describe('Of a list, each request gets the next text; after the last comes the first')
    .exactOptional(),
  file: string.describe('The path of a file with the text, from the folder of this file').exactOptional(),
  template: string.describe(`A text with {{${TEMPLATE_NAMES.join('}}, {{')}}}`).exactOptional(),
  tokens: wholeNumber(1, LONGEST_OWN_WORDS).describe('The length of the model’s own words').exactOptional(),
  finish: string
    .describe('The finish reason; absent: stop, or length where the text was cut')
    .exactOptional(),
  usage: z
    .strictObject(USAGE, { error: known('a usage', USAGE) })
    .describe('Tokens that are reported, and debited')
    .exactOptional(),
  latency: z
    .number('expected milliseconds')
    .min(0, 'expected milliseconds')
    .max(86_400_000, 'expected milliseconds')
    .describe('Milliseconds that the completion takes; absent: as the world says')
    .exactOptional(),
  headers: z
    .record(z.string(), string, 'expected headers, as an object of texts')
    .describe('Further headers of the answer')
    .exactOptional(),
  unchecked: z
    .boolean('expected true or false')
    .describe('Send it as it is, even if that breaks the specification')
    .exactOptional(),
};

const CONTENTS = ['text', 'file', 'template', 'tokens'] as const;

type Given = z.output<z.ZodObject<typeof FIELDS>>;
type Add = (path: readonly string[], message: string) => void;

/** A chosen answer, as JSON has it. */
export const answerSchema = z
  .strictObject(FIELDS, { error: known('an answer', FIELDS) })
  .superRefine((rule, context) => {
    const add: Add = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
    refineContents(rule, add);
    refinePosition(rule, add);
    refineReading(rule, add);
    for (const [name, value] of Object.entries(rule.headers ?? {})) {
      const problem = headerProblem(name, value);
      if (problem !== undefined) add(['headers', name], problem);
    }
    if (rule.unchecked !== true) refineFaithful(rule, add);
  })
  .describe('What the mock says instead of its own words, and to which requests');

function refineContents(rule: Given, add: Add): void {
  const given = CONTENTS.filter((name) => rule[name] !== undefined);
  const [first, second] = given;
  if (second !== undefined) add([second], `not beside ${first}: one of them says what the text is`);
  const [unknown] = unknownPlaces(rule.template ?? '');
  if (unknown !== undefined)
    add(
      ['template'],
      `nothing is called {{${unknown}}}; there are ${TEMPLATE_NAMES.map((name) => `{{${name}}}`).join(', ')}`,
    );
}

function refinePosition({ match = {} }: Given, add: Add): void {
  if (match.nth !== undefined && match.every !== undefined)
    add(['match', 'every'], 'not beside nth: one of them says which of the requests are meant');
  if (match.in !== undefined && match.contains === undefined && match.matches === undefined)
    add(['match', 'in'], 'needs contains or matches, which look at the text');
}

/** What a request without a body has nothing of, and what its answer has not. */
const OF_CHATS = ['model', 'stream', 'contains', 'matches', 'in', 'request'] as const;
const OF_COMPLETIONS = ['template', 'tokens', 'finish', 'usage'] as const;

/** The lists of models are what the world says: a text of one's own takes the place of the whole body. */
function refineReading({ match = {}, ...said }: Given, add: Add): void {
  const { endpoint = 'chat' } = match;
  if (endpoint === 'chat') return;
  for (const name of OF_CHATS)
    if (match[name] !== undefined) add(['match', name], `only for chats, not for the endpoint ${endpoint}`);
  for (const name of OF_COMPLETIONS)
    if (said[name] !== undefined) add([name], `only for chats, not for the endpoint ${endpoint}`);
  if ((said.text ?? said.file) !== undefined && said.unchecked !== true)
    add(
      [said.text === undefined ? 'file' : 'text'],
      `a body for ${endpoint} is not checked: say unchecked=true, or change the models of the world`,
    );
}

/** What could never keep the specification. What depends on the request is seen to when it is answered. */
function refineFaithful({ text, finish, usage }: Given, add: Add): void {
  if (text === '' || (Array.isArray(text) && text.includes('')))
    add(['text'], 'an empty answer breaks the specification (STR-3); unchecked=true sends it all the same');
  if (finish !== undefined && !FINISH_REASONS.some((reason) => reason === finish))
    add(['finish'], `expected one of ${FINISH_REASONS.join(', ')}; unchecked=true allows any`);
  if (usage?.output === 0) add(['usage', 'output'], 'expected at least 1; unchecked=true allows 0');
}

/** A rule as it is written: `{ match: { contains: 'weather' }, text: 'It rains.' }`. */
export type AnswerWords = z.output<typeof answerSchema>;

/** Headers that frame the answer, or that the mock sends itself. */
const OWN = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'idempotency-replayed',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

/** Why an answer cannot have this header; undefined: it can. */
function headerProblem(name: string, value: string): string | undefined {
  if (OWN.has(name.toLowerCase())) return 'the mock sends this header itself';
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'not a header of HTTP';
  }
}
