import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { type Found, isJsonObject, readJson, valueAt } from '../json.ts';
import {
  find,
  isCount,
  isText,
  type ItemReading,
  locate,
  namesIn,
  normalizeName,
  type Point,
  words,
} from '../locate.ts';

/** A chat completion response. The specification names only `choices`, `message` and `content`. */
export interface CompletionReading {
  readonly body: JsonObject;
  /** Undefined when `choices` is not an array. */
  readonly choices: readonly ChoiceReading[] | undefined;
  readonly usage: UsageReading;
}

export interface ChoiceReading {
  /** Undefined when there is no message with text content. */
  readonly text: string | undefined;
  readonly finishReason: ItemReading;
}

/** Reads a whole response; undefined when the body is not a JSON object. Read once per answer; never throws. */
export const readCompletion = readOnce((answer: Answer, info: TargetInfo) => {
  const body = readJson(answer);
  return body.kind === 'json' && isJsonObject(body.value) ? completionIn(body.value, info) : undefined;
});

function completionIn(body: JsonObject, { profile }: TargetInfo): CompletionReading {
  const { choices } = body;
  return {
    body,
    choices: Array.isArray(choices)
      ? choices.map((choice, index) => {
          const text = valueAt(choice, '/message/content');
          const finishReason = finishReasonOf({ ...body, choices: choices.slice(index) }, index, profile);
          return { text: typeof text === 'string' ? text : undefined, finishReason };
        })
      : undefined,
    usage: findUsage(body, profile),
  };
}

/** Profiles pin the place in the first choice: any other is read as if it were the first, which it is in `body`. */
function finishReasonOf(body: JsonObject, index: number, profile: Profile): ItemReading {
  const found = locate(body, FINISH_REASON, profile);
  if (typeof found === 'string') return found;
  return { ...found, pointer: found.pointer.replace(/^\/choices\/0(?=\/)/, `/choices/${index}`) };
}

const FINISH_NAMES = words(`
  finishreason stopreason donereason endreason finishedreason stoppingreason completionreason
  terminationreason reasonfinished
`);

/**
 * Why the first choice finished (RES-3). `status` is missing on purpose: it may be the status of the whole answer.
 */
export const FINISH_REASON: Point = {
  pins: ['response.finish_reason'],
  in: ['/choices/0', '/choices/0/message', '/choices/0/delta', ''],
  names: [
    ...FINISH_NAMES,
    ...words('finishdetails finishtype finish stoptype endedby reason completionstatus'),
  ],
  anywhere: FINISH_NAMES,
  others: namesIn(`
    id object type model choices created createdat timestamp requestid traceid systemfingerprint servicetier
    provider usage tokenusage usagemetadata index message delta text logprobs role content refusal annotations
    audio toolcalls functioncall reasoning reasoningcontent name warnings promptlogprobs
  `),
  accepts: isReason,
};

/** A word, an enumeration value, or an object with details. */
function isReason(value: JsonValue): value is JsonValue {
  if (isText(value) || typeof value === 'number') return true;
  return isJsonObject(value) && Object.keys(value).length > 0 && !isResult(value);
}

/** Whether a value is a whole response, choice or event. */
function isResult(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { choices, message, delta } = value;
  return Array.isArray(choices) || [message, delta].some(isJsonObject);
}

/** Members of a response whose numbers are certainly not usage. */
const OTHER_NUMBERS = namesIn(`
  created createdat timestamp time index logprobs promptlogprobs id version seed latency latencyms duration
  durationms elapsed elapsedms status code n content text model systemfingerprint
`);

/** The object, or the number, that reports usage (RES-4). */
export const USAGE: Point = {
  pins: ['response.usage'],
  in: ['', '/choices/0', '/meta', '/metadata'],
  names: words(`
    usage tokenusage usagemetadata usageinfo usagestats tokens tokencounts tokencount tokensused usedtokens
    consumption metering billing metrics stats cost credits
  `),
  anywhere: words('usage tokenusage usagemetadata usageinfo usagestats'),
  others: OTHER_NUMBERS,
  accepts: (value): value is JsonValue => hasNumber(value, MOST_LEVELS) && !isResult(value),
};

const MOST_LEVELS = 5;

/** Whether there is any number, or text of digits, that may be usage. */
function hasNumber(value: JsonValue, levels: number): boolean {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))) return true;
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return Object.entries<JsonValue>(value).some(
    ([name, inner]) => !OTHER_NUMBERS.has(normalizeName(name)) && hasNumber(inner, levels - 1),
  );
}

/**
 * The counts of a usage (RES-6). Their names say that they count tokens: a usage may also be in credits, bytes or words, and
 * a profile says which other member counts tokens.
 */
export const COUNT_NAMES = {
  input: `
    prompttokens inputtokens prompttokencount inputtokencount prompttokenscount tokensin promptevalcount
    ntokensprompt numprompttokens numinputtokens input/tokens
  `,
  output: `
    completiontokens outputtokens completiontokencount outputtokencount candidatestokencount generatedtokens
    tokensout evalcount numcompletiontokens numoutputtokens output/tokens
  `,
  total: 'totaltokens totaltokencount tokenstotal totaltokenscount tokens tokencount tokensused usedtokens',
};

/** Their names in any unit. A total may be a debit in credits, with its sign. */
const IN_ANY_UNIT = { input: 'prompt input in', output: 'completion output generated out', total: '' };

type CountKind = keyof typeof COUNT_NAMES;

export const COUNT_KINDS: readonly CountKind[] = ['input', 'output', 'total'];

type Counts = { readonly [kind in CountKind]?: Found<number> };

/** Where usage is reported, and its counts of tokens. */
export interface Usage extends Counts {
  readonly pointer: string;
  /** A count of output, if its name does not say in which unit. */
  readonly inAnyUnit?: Found<number>;
  /** A count below zero, which is always wrong, in whatever unit. */
  readonly negative?: Found<number>;
}

export type UsageReading = Usage | 'absent' | 'unrecognised';

/** The counts of tokens in a usage, if there is any. */
export function countsIn(usage: UsageReading | undefined): Counts {
  return typeof usage === 'object' ? usage : {};
}

/** Finds the usage of a response or of an event (RES-4), or else counts in the body itself. */
export function findUsage(body: JsonObject, profile: Profile, point: Point = USAGE): UsageReading {
  const found = locate(body, point, profile);
  if (typeof found === 'object') return usageAt(found, profile);
  const atRoot = usageAt({ pointer: '', value: body }, profile);
  return (atRoot.input ?? atRoot.output ?? atRoot.negative) ? atRoot : found;
}

/** The usage of what is found; a number alone is a count by its own name. */
function usageAt({ pointer, value }: Found, profile: Profile): Usage {
  const end = typeof value === 'number' ? pointer.lastIndexOf('/') : pointer.length;
  const usage = typeof value === 'number' ? { [pointer.slice(end + 1)]: value } : value;
  const at = (kind: CountKind, accepts: Point<number>['accepts'], names = COUNT_NAMES[kind]) => {
    const point = { pins: [`response.usage.${kind}`], in: [''], names: words(names), accepts } as const;
    const found = find(usage, point, profile);
    return found && { ...found, pointer: pointer.slice(0, end) + found.pointer };
  };
  const negative = (kind: CountKind) =>
    at(kind, isNegative, `${COUNT_NAMES[kind]} ${IN_ANY_UNIT[kind]}`) ?? [];
  const counts = [
    ...COUNT_KINDS.map((kind) => [kind, at(kind, isCount)] as const),
    ['inAnyUnit', at('output', isCount, IN_ANY_UNIT.output)] as const,
    ['negative', COUNT_KINDS.flatMap(negative)[0]] as const,
  ];
  return { pointer, ...Object.fromEntries(counts.filter(([, count]) => count !== undefined)) };
}

const isNegative = (value: JsonValue): value is number => typeof value === 'number' && value < 0;

/** A count as a profile pins it: the name of a member of the usage, or the pointer to one deeper within it. */
export function memberOfUsage(count: Found<number>, { pointer }: Usage): string {
  const place = count.pointer.slice(count.pointer === pointer ? pointer.lastIndexOf('/') : pointer.length);
  const [, name = '', ...deeper] = place.split('/');
  return deeper.length > 0 || name.includes('~1') ? place : name.replaceAll('~0', '~');
}
