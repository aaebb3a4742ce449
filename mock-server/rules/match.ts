import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { InputError, unknownName } from '../input/input-error.ts';
import type { Phase } from './phases.ts';
import { digestOf, type Subject, TEXT_PARTS, textIn } from './subject.ts';
import { namesOf, numberWithin, oneOf, text, texts, wholeNumber, yesOrNo } from './words.ts';

const REQUEST = {
  messages: z.array(
    z.looseObject({ role: text, content: z.union([text, z.array(z.looseObject({}))], 'expected a content') }),
    'expected messages',
  ),
  temperature: z.number('expected a number').exactOptional(),
  max_tokens: z.number('expected a number').exactOptional(),
  digest: text
    .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hexadecimal')
    .describe('Hash of the request, if a secret was removed from it')
    .exactOptional(),
};

/** `x-team`, or `x-team: blue`. The key of a request has a name of its own. */
const HEADER = /^(?!authorization(?:$|:))(?<name>[!#$%&'*+.^`|~\w-]+)(?:: ?(?<value>.*))?$/i;

/** Which requests a rule is for. */
export const MATCH = {
  endpoint: oneOf(namesOf(ENDPOINTS)).describe('This endpoint').exactOptional(),
  model: text.describe('The ID of the model').exactOptional(),
  key: text.describe('The name of the key').exactOptional(),
  stream: yesOrNo.describe('Only streams, or only plain answers').exactOptional(),
  contains: text.min(1, 'expected a text').describe('The text contains this').exactOptional(),
  matches: text
    .refine(isExpression, 'not a regular expression of JavaScript')
    .describe('The text matches this regular expression: its source, or /source/flags with the flags imsuv')
    .exactOptional(),
  in: oneOf(TEXT_PARTS)
    .describe('Where to look for the text: the last user message (the default), the system messages, or all')
    .exactOptional(),
  request: z.strictObject(REQUEST).describe('The request is exactly this (JSON only)').exactOptional(),
  request_header: texts
    .refine(
      (given) => [given].flat().every((one) => HEADER.test(one)),
      'expected NAME or "NAME: VALUE" of a header, not of Authorization',
    )
    .describe('The request has this header: NAME, or "NAME: VALUE"; in a list, all of them')
    .exactOptional(),
  idempotency_key: text.describe('The Idempotency-Key').exactOptional(),
  nth: wholeNumber(1).describe('Only the nth matching request').exactOptional(),
  every: wholeNumber(1).describe('Only every nth matching request').exactOptional(),
  per: oneOf(['key', 'connection', 'idempotency_key'])
    .describe(
      'nth, every and after count separately for each key, connection or Idempotency-Key; each request without an Idempotency-Key counts as a first',
    )
    .exactOptional(),
};

const matchSchema = z
  .strictObject(MATCH)
  .describe('The requests that the rule applies to: they match all of these');

export type Match = z.output<typeof matchSchema>;

export const LIMITS = {
  times: wholeNumber(1).describe('How often the rule is used; absent: always').exactOptional(),
  after: wholeNumber(0).describe('Number of matching requests to skip first; absent: none').exactOptional(),
  ttl: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .describe('Milliseconds, on the clock of the world, until the rule expires; absent: never')
    .exactOptional(),
  probability: numberWithin(0, 1)
    .describe('The share of the matching requests, from 0 to 1, drawn from the seed; absent: all')
    .exactOptional(),
};

/** What every rule says beside what happens: which requests it is for, and how often. */
export const RULE = { match: matchSchema.exactOptional(), ...LIMITS };

export type RuleWords = z.output<z.ZodObject<typeof RULE>>;

/** `/source/flags`, or the source alone. Throws a SyntaxError. */
function readExpression(written: string): RegExp {
  const { source = written, flags } = /^\/(?<source>.+)\/(?<flags>[imsuv]*)$/s.exec(written)?.groups ?? {};
  return new RegExp(source, flags);
}

function isExpression(source: string): boolean {
  try {
    readExpression(source);
    return true;
  } catch {
    return false;
  }
}

/** What only the body of a chat says. */
const OF_CHATS = ['model', 'stream', 'contains', 'matches', 'in', 'request'] as const;

export function isForChats(match: Match): boolean {
  return OF_CHATS.some((name) => match[name] !== undefined);
}

/** Throws an InputError for a match that contradicts itself. */
export function checkMatch(match: Match): void {
  const { nth, every, contains, matches, endpoint = 'chat' } = match;
  if (nth !== undefined && every !== undefined)
    throw new InputError(['match', 'every'], 'cannot be combined with nth: both select the request');
  if (match.in !== undefined && (contains ?? matches) === undefined)
    throw new InputError(['match', 'in'], 'needs contains or matches, which look at the text');
  const ofChats = OF_CHATS.find((name) => match[name] !== undefined);
  if (endpoint !== 'chat' && ofChats !== undefined)
    throw new InputError(['match', ofChats], `only for chats, not for the endpoint ${endpoint}`);
}

export interface WorldNames {
  readonly models: readonly { readonly id: string }[];
  readonly keys: readonly { readonly name: string }[];
}

/** Throws an InputError for a key or a model that the world does not have: the rule could never match. */
export function checkNames(match: Match, { models, keys }: WorldNames): void {
  const known = { key: keys.map(({ name }) => name), model: models.map(({ id }) => id) };
  for (const field of ['key', 'model'] as const) {
    const given = match[field];
    if (given === undefined || known[field].includes(given)) continue;
    throw new InputError(['match', field], unknownName(`${field} of this world`, given, known[field]));
  }
}

/** Where in a request a match can be decided: what it asks for is known from this phase on. */
export function knownFrom(match: Match): Phase {
  const isLate = isForChats(match) || match.key !== undefined || match.per === 'key';
  return isLate ? 'after-validation' : 'before-authentication';
}

/** The groups of an expression, by number and by name; empty where the rule has none. */
export type Found = Readonly<Record<string, string>>;

const NOTHING: Found = {};

/** Characters of a text that an expression looks at. */
const LONGEST_TEXT = 65_536;

/** What a match finds in a request; null: it is not for this request. Does not look at the position. */
export function compileMatch(match: Match): (subject: Subject) => Found | null {
  const { endpoint, model, key, stream, contains = '', matches = '', in: part = 'user', request } = match;
  const digest = request && (request.digest ?? digestOf(request));
  const expression = readExpression(matches);
  const headers = [match.request_header ?? []].flat().map((header) => HEADER.exec(header)?.groups ?? {});
  return (subject) => {
    const { sent } = subject;
    const isMeant =
      (endpoint === undefined || endpoint === subject.endpoint) &&
      (model === undefined || model === subject.model) &&
      (key === undefined || key === subject.key) &&
      (stream === undefined || stream === subject.stream) &&
      (match.idempotency_key === undefined || match.idempotency_key === subject.idempotencyKey) &&
      headers.every((header) => hasHeader(subject, header)) &&
      (digest === undefined || (sent !== undefined && digest === digestOf(sent)));
    if (!isMeant) return null;
    if (contains === '' && matches === '') return NOTHING;
    const said = sent && textIn(subject, part);
    const found = said?.includes(contains) === true ? expression.exec(said.slice(0, LONGEST_TEXT)) : null;
    return found && groupsOf(found);
  };
}

function hasHeader({ headers = {} }: Subject, { name = '', value }: Partial<Record<string, string>>) {
  const sent = headers[name.toLowerCase()];
  return sent !== undefined && (value === undefined || [sent].flat().includes(value));
}

function groupsOf(found: RegExpExecArray): Found {
  const numbered = found.map((group: string | undefined, index) => [String(index), group ?? '']);
  const named = Object.entries(found.groups ?? {}).map(([name, group]) => [name, group ?? '']);
  return Object.fromEntries([...numbered, ...named]);
}
