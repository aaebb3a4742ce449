import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../../model/target.ts';
import { isJsonObject, childPointer, type Found, valueAt } from '../json.ts';
import { isCount, memberNamed, normalizeName, words } from '../names.ts';
import { pinnedText } from '../pins.ts';

/** Where usage is reported, and its counts with known names, in tokens. */
export interface Usage {
  readonly pointer: string;
  readonly input?: Found<number>;
  readonly output?: Found<number>;
  readonly total?: Found<number>;
  /** A token count below zero, which is always wrong. */
  readonly negative?: Found<number>;
}

export type UsageReading = Usage | 'absent' | 'unrecognised';

const HOLDERS = words(`
  usage tokenusage usagemetadata usageinfo usagestats tokens tokencounts tokencount tokensused usedtokens
  consumption metering billing metrics stats cost credits
`);
const COUNTS = {
  input: words(`
    prompttokens inputtokens prompttokencount inputtokencount prompttokenscount tokensin promptevalcount
    ntokensprompt numprompttokens numinputtokens prompt input in
  `),
  output: words(`
    completiontokens outputtokens completiontokencount outputtokencount candidatestokencount generatedtokens
    tokensout evalcount numcompletiontokens numoutputtokens completion output generated out
  `),
  total: words('totaltokens totaltokencount tokenstotal totaltokenscount total tokens tokencount all sum'),
} as const;
/** Members of a response whose numbers are certainly not usage. */
const OTHER_NUMBERS: ReadonlySet<string> = new Set(
  words(`
    created createdat timestamp time index logprobs promptlogprobs id version seed latency latencyms duration
    durationms elapsed elapsedms status code n content text model systemfingerprint
  `),
);
/** Names of a count within an object that is named for what it counts, such as `input: { tokens: 5 }`. */
const COUNTS_WITHIN = words('tokens tokencount totaltokens ntokens numtokens');
const MAX_DEPTH = 5;

/** Finds the usage of a response or of a stream event (RES-4): where the profile pins `pin`, or else under any plausible name. */
export function findUsage(
  body: JsonObject,
  profile: Profile,
  pin: 'response.usage' | 'stream.usage',
): UsageReading {
  const pinned = pinnedText(profile, pin);
  if (pinned !== undefined) {
    const value = valueAt(body, pinned);
    return (value === undefined ? undefined : pinnedUsage({ pointer: pinned, value }, profile)) ?? 'absent';
  }
  const found = holderIn(body, '') ?? holderBelow(body);
  if (found) return usageAt(found, profile);
  const atRoot = usageAt({ pointer: '', value: body }, profile);
  if (atRoot.input ?? atRoot.output ?? atRoot.negative) return atRoot;
  return hasUnknownNumber(body, MAX_DEPTH) ? 'unrecognised' : 'absent';
}

/** A whole response is its own usage only if it has the counts as members. */
function pinnedUsage(found: Found, profile: Profile): Usage | undefined {
  if (!hasNumber(found.value)) return undefined;
  const usage = usageAt(found, profile);
  return isResult(found.value) && !usage.input && !usage.output ? undefined : usage;
}

function holderIn(object: JsonObject, parent: string): Found | undefined {
  const usual = object['usage'];
  if (usual !== undefined && hasNumber(usual))
    return { pointer: childPointer(parent, 'usage'), value: usual };
  return memberNamed(object, HOLDERS, hasNumber, parent);
}

function holderBelow(body: JsonObject): Found | undefined {
  const first = valueAt(body, '/choices/0');
  const inner: [string, JsonValue | undefined][] = Object.keys(body).map((name) => [
    childPointer('', name),
    body[name],
  ]);
  for (const [pointer, value] of [['/choices/0', first] as const, ...inner]) {
    const found = isJsonObject(value) ? holderIn(value, pointer) : undefined;
    if (found) return found;
  }
  return undefined;
}

function usageAt(found: Found, profile: Profile): Usage {
  const negative = negativeIn(found);
  return { ...countsAt(found, profile), ...(negative && { negative }) };
}

function countsAt({ pointer, value }: Found, profile: Profile): Usage {
  if (typeof value === 'number') return { pointer, total: { pointer, value } };
  if (!isJsonObject(value)) return { pointer };
  const input = countIn(value, pointer, 'input', profile);
  const output = countIn(value, pointer, 'output', profile);
  const total = countIn(value, pointer, 'total', profile);
  return { pointer, ...(input && { input }), ...(output && { output }), ...(total && { total }) };
}

const NAMES_TOKENS = /token|eval_?count/i;

/** Whether a count is in tokens, by a name or a pin: usage may also be in credits, bytes or words (RES-6). */
export function countsTokens(count: Found<number>, pin: OpenPointName, profile: Profile): boolean {
  const pinned = pinnedText(profile, pin);
  if (pinned !== undefined && count.pointer.endsWith(pointerOfMember(pinned))) return true;
  return NAMES_TOKENS.test(count.pointer);
}

/** The name must say that it counts tokens: credits may be negative. */
function negativeIn({ pointer, value }: Found): Found<number> | undefined {
  if (!isJsonObject(value)) return undefined;
  const found = Object.values(COUNTS).flatMap((names) => countNamed(value, names, isNegative, pointer) ?? []);
  return found.find((count) => NAMES_TOKENS.test(count.pointer));
}

const isNegative = (value: JsonValue): value is number => typeof value === 'number' && value < 0;

function countIn(
  usage: JsonObject,
  pointer: string,
  kind: keyof typeof COUNTS,
  profile: Profile,
): Found<number> | undefined {
  const pinned = pinnedText(profile, `response.usage.${kind}` satisfies OpenPointName);
  const place = pinned === undefined ? undefined : pointerOfMember(pinned);
  const value = place === undefined ? undefined : valueAt(usage, place);
  if (place !== undefined && isCount(value)) return { pointer: pointer + place, value };
  return countNamed(usage, COUNTS[kind], isCount, pointer);
}

/** A member with one of these names, or the tokens in an object with one of them. */
function countNamed(
  usage: JsonObject,
  names: readonly string[],
  accepts: (value: JsonValue) => value is number,
  pointer: string,
): Found<number> | undefined {
  const direct = memberNamed(usage, names, accepts, pointer);
  if (direct !== undefined) return direct;
  const holder = memberNamed(usage, names, isJsonObject, pointer);
  return holder && memberNamed(holder.value, COUNTS_WITHIN, accepts, holder.pointer);
}

/** A pin of a member is its name, or a pointer to it. */
const pointerOfMember = (pinned: string): string =>
  pinned.startsWith('/') ? pinned : childPointer('', pinned);

/** A count as a profile pins it: the name of a member of the usage, or the pointer to one deeper within it. */
export function memberOfUsage(count: Found<number>, { pointer }: Usage): string {
  // A usage that is a number is its own total.
  const place = count.pointer.slice(count.pointer === pointer ? pointer.lastIndexOf('/') : pointer.length);
  const [, name = '', ...deeper] = place.split('/');
  return name === '' || deeper.length > 0 || name.includes('~1') ? place : name.replaceAll('~0', '~');
}

function hasNumber(value: JsonValue): value is JsonValue {
  return hasUnknownNumber(value, 2);
}

/** Whether there is any number, or text of digits, that may be usage. */
function hasUnknownNumber(value: JsonValue, deep: number): boolean {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))) return true;
  if (typeof value !== 'object' || value === null || deep === 0) return false;
  return Object.entries(value).some(
    ([name, inner]) => !OTHER_NUMBERS.has(normalizeName(name)) && hasUnknownNumber(inner, deep - 1),
  );
}

/** Whether a value is a whole response, choice or event. */
export function isResult(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { choices, message, delta } = value;
  return Array.isArray(choices) || [message, delta].some(isJsonObject);
}
