import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../json.ts';
import { isCount, isText, memberNamed, normalizeName, words } from '../names.ts';

// Sizes of input and output together. Names of input or output alone (max_input_tokens, max_completion_tokens) are
// missing on purpose: with them LIM-1 would blame a faithful service.
const SIZES = words(`
  contexttokens contextlength contextwindow contextsize contextlimit maxcontext maxcontextlength
  maxcontexttokens maxcontextsize maxcontextwindow contextwindowtokens contextwindowsize contextlengthtokens
  modelmaxlength maxmodellen maxmodellength maxsequencelength nctx context maxtotaltokens
`);
/** Ambiguous names: they may mean past usage, or usage per period. */
const LOOSE_SIZES = words('tokenlimit totaltokens');
const OF_A_TIME =
  /per(second|minute|hour|day|month)|^(tpm|rpm|tpd|rpd|window|period|interval|quota|requests)$/;
const SIZE_HOLDERS = words('limits limit context capabilities tokens topprovider details metadata');
const INSIDE_CONTEXT = words('max length size window tokens total limit');

/** The context size in a model record, in tokens of input and output together; undefined when it has none. */
export function contextTokensOf(record: JsonObject): number | undefined {
  return sizeIn(record, [], words('tokenlimit')) ?? sizeBelow(record);
}

function sizeIn(
  object: JsonObject,
  more: readonly string[] = [],
  loose: readonly string[] = LOOSE_SIZES,
): number | undefined {
  const isOfATime = Object.keys(object).some((name) => OF_A_TIME.test(normalizeName(name)));
  return memberNamed(object, [...SIZES, ...more, ...(isOfATime ? [] : loose)], isSize)?.value;
}

function isInOtherUnits(object: JsonObject): boolean {
  const unit = memberNamed(object, ['unit', 'units'], isText)?.value;
  return unit !== undefined && !/^tokens?$/i.test(unit);
}

function sizeBelow(record: JsonObject): number | undefined {
  for (const holder of SIZE_HOLDERS) {
    const inner = memberNamed(record, [holder], isJsonObject)?.value;
    if (inner === undefined || isInOtherUnits(inner)) continue;
    const size = sizeIn(inner, holder === 'context' ? INSIDE_CONTEXT : []);
    if (size !== undefined) return size;
  }
  return undefined;
}

const isSize = (value: Parameters<typeof isCount>[0]): value is number => isCount(value) && value > 0;

const OF_TEXT = /input|prompt|output|completion/;
const OF_MONEY = /price|pricing|cost/;
const MAX_DEPTH = 3;

/** The price of a token of input plus one of output, if any; comparable within one list only. */
export function priceOf(record: JsonObject): number | undefined {
  const prices = Object.entries(record)
    .filter(([name]) => OF_MONEY.test(normalizeName(name)))
    .flatMap(([name, value]) => numbersIn(value, normalizeName(name), MAX_DEPTH));
  const ofText = prices.filter(({ name }) => OF_TEXT.test(name));
  const counted = ofText.length > 0 ? ofText : prices;
  if (counted.length === 0) return undefined;
  return counted.reduce((sum, { amount }) => sum + amount, 0);
}

interface Price {
  readonly name: string;
  readonly amount: number;
}

function numbersIn(value: JsonValue, name: string, deep: number): Price[] {
  if (isJsonObject(value)) {
    if (deep === 0) return [];
    return Object.entries(value).flatMap(([inner, below]) =>
      numbersIn(below, `${name} ${normalizeName(inner)}`, deep - 1),
    );
  }
  const amount = amountOf(value);
  return amount === undefined ? [] : [{ name, amount }];
}

/** Prices are numbers or decimal strings. */
function amountOf(value: JsonValue): number | undefined {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}

const FLAGS = words(`
  vision visionenabled hasvision visionsupported visionavailable supportsvision supportvision imageinput
  imageinputenabled imageinputavailable imageinputsupported supportsimageinput supportsimages supportsimage
  acceptsimages imagesupport images image multimodal
`);
/** Names that mean vision only in the answer of the vision endpoint. */
const FLAGS_OF_THE_ENDPOINT = words('enabled available supported supports active value');
/** Lists of all input kinds: vision is off where they do not name it. */
const LISTS = words(`
  inputmodalities modalities supportedinputmodalities modality input inputs inputtypes
`);
/** Lists of selected features: that vision is missing means "off" only at the vision endpoint. */
const LOOSE_LISTS = words('capabilities features');
const VISION_HOLDERS = words(`
  capabilities architecture features modalities supports vision limits imageinput images image
`);
const HOLDERS_OF_VISION = new Set(words('vision imageinput images image'));

/** Whether a record says that image input is enabled, if it does. At the vision `endpoint`, `enabled` suffices. */
export function visionOf(record: JsonObject, endpoint: 'models' | 'vision'): boolean | undefined {
  const flags = endpoint === 'vision' ? [...FLAGS, ...FLAGS_OF_THE_ENDPOINT] : FLAGS;
  return flagIn(record, flags) ?? flagBelow(record, flags) ?? looseFlag(record, endpoint);
}

function flagIn(record: JsonObject, flags: readonly string[]): boolean | undefined {
  const flag = memberNamed(record, flags, isBoolean);
  if (flag) return flag.value;
  const list = memberNamed(record, LISTS, isListOfWords);
  return list && speaksOfVision(list.value);
}

function looseFlag(record: JsonObject, endpoint: 'models' | 'vision'): boolean | undefined {
  const list = memberNamed(record, LOOSE_LISTS, isListOfWords);
  if (list === undefined) return undefined;
  return speaksOfVision(list.value) || (endpoint === 'vision' ? false : undefined);
}

function speaksOfVision(list: string | readonly string[]): boolean {
  return wordsOf(list).some((word) => /image|vision/.test(word));
}

function flagBelow(record: JsonObject, flags: readonly string[]): boolean | undefined {
  for (const name of VISION_HOLDERS) {
    const inner = memberNamed(record, [name], isJsonObject)?.value;
    const more = HOLDERS_OF_VISION.has(name) ? FLAGS_OF_THE_ENDPOINT : [];
    const flag = inner && flagIn(inner, [...flags, ...more]);
    if (flag !== undefined) return flag;
  }
  return undefined;
}

const isBoolean = (value: JsonValue): value is boolean => typeof value === 'boolean';

const isListOfWords = (value: JsonValue): value is string | string[] =>
  typeof value === 'string' || (Array.isArray(value) && value.every((word) => typeof word === 'string'));

/** Of `text+image->text` only the input counts. */
function wordsOf(list: string | readonly string[]): string[] {
  if (typeof list !== 'string') return list.map(normalizeName);
  return (list.split('->')[0] ?? '').split(/[+, ]/).map(normalizeName);
}
