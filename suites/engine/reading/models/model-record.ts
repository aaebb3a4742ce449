import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../json.ts';
import { find, isCount, type Point, words } from '../locate.ts';

/**
 * Tokens of input and output together. Names of input or output alone (max_input_tokens, max_completion_tokens), of past
 * usage (total_tokens) or of rates (token_limit among limits) are missing on purpose: with them LIM-1 would blame a faithful
 * service.
 */
export const CONTEXT_TOKENS: Point<number> = {
  in: ['', '/limits', '/limit', '/capabilities', '/top_provider', '/details', '/metadata'],
  names: words(`
    contexttokens contextlength contextwindow contextsize contextlimit maxcontext maxcontextlength
    maxcontexttokens maxcontextsize maxcontextwindow contextwindowtokens contextwindowsize contextlengthtokens
    modelmaxlength maxmodellen maxmodellength maxsequencelength nctx context maxtotaltokens
    context/tokens context/maxtokens context/tokenlimit context/length context/maxlength context/size context/maxsize
    context/window context/limit context/max contextwindow/tokens contextwindow/maxtokens contextwindow/size
  `),
  accepts: isSize,
};

/** A limit of the model itself, in the words of the specification. */
const TOKEN_LIMIT: Point<number> = {
  in: [''],
  names: words('tokenlimit maxtokenlimit'),
  accepts: isSize,
};

/** The most that is granted as output. A name that means something else costs a pair of chats, and blames nobody. */
const OUTPUT_TOKENS: Point<number> = {
  ...CONTEXT_TOKENS,
  names: words(`
    maxoutputtokens maxcompletiontokens outputtokenlimit outputtokens maxoutput outputlimit output completiontokens
    maxgeneratedtokens maxnewtokens
  `),
};

function isSize(value: JsonValue): value is number {
  return isCount(value) && value > 0;
}

/** The context size in a model record, in tokens of input and output together; undefined when it has none. */
export function contextTokensOf(record: JsonValue): number | undefined {
  return (find(record, CONTEXT_TOKENS) ?? find(record, TOKEN_LIMIT))?.value;
}

/** The most output tokens by a model record; undefined when it does not say. */
export function outputTokensOf(record: JsonValue): number | undefined {
  return find(record, OUTPUT_TOKENS)?.value;
}

const OF_TEXT = /input|prompt|output|completion/i;
const OF_MONEY = /price|pricing|cost/i;
const MOST_LEVELS = 4;

/** The price of a token of input plus one of output, if any; comparable within one list only. */
export function priceOf(record: JsonObject): number | undefined {
  const prices = [...amountsIn(record, '', MOST_LEVELS)].filter(([names]) => OF_MONEY.test(names));
  const ofText = prices.filter(([names]) => OF_TEXT.test(names));
  const counted = ofText.length > 0 ? ofText : prices;
  return counted.length === 0 ? undefined : counted.reduce((sum, [, amount]) => sum + amount, 0);
}

/** Every amount, a number or a decimal string, with the names of all members that it stands in. */
function* amountsIn(value: JsonValue, names: string, levels: number): Generator<[string, number], undefined> {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof amount === 'number' && amount >= 0 && amount < Infinity) yield [names, amount];
  if (!isJsonObject(value) || levels === 0) return;
  for (const [name, inner] of Object.entries(value)) yield* amountsIn(inner, `${names} ${name}`, levels - 1);
}

const FLAG_NAMES = words(`
  vision visionenabled hasvision visionsupported visionavailable supportsvision supportvision imageinput
  imageinputenabled imageinputavailable imageinputsupported supportsimageinput supportsimages supportsimage
  acceptsimages imagesupport images image multimodal vision/enabled vision/supported vision/available
  imageinput/enabled imageinput/supported imageinput/available images/enabled images/supported
`);

export const VISION_FLAG: Point<boolean> = {
  in: ['', '/capabilities', '/architecture', '/features', '/modalities', '/supports', '/limits'],
  names: FLAG_NAMES,
  accepts: (value) => typeof value === 'boolean',
};

/** Names that mean vision only in the answer of the vision endpoint. */
const FLAG_OF_ENDPOINT: Point<boolean> = {
  ...VISION_FLAG,
  names: [...FLAG_NAMES, ...words('enabled available allowed supported supports active value')],
};

/** All kinds of input: vision is off where they do not name it. */
export const INPUT_KINDS: Point<string | string[]> = {
  in: VISION_FLAG.in,
  names: words('inputmodalities modalities supportedinputmodalities modality input inputs inputtypes'),
  accepts: (value): value is string | string[] => [value].flat().every((word) => typeof word === 'string'),
};

/** Selected features: that vision is missing means "off" only at the vision endpoint. */
const FEATURES: Point<string | string[]> = {
  ...INPUT_KINDS,
  in: [''],
  names: words('capabilities features'),
};

/** Whether a record says that image input is enabled, if it does. At the vision `endpoint`, `enabled` suffices. */
export function visionOf(record: JsonObject, endpoint: 'models' | 'vision'): boolean | undefined {
  const flag = find(record, endpoint === 'vision' ? FLAG_OF_ENDPOINT : VISION_FLAG);
  if (flag !== undefined) return flag.value;
  const kinds = find(record, INPUT_KINDS);
  if (kinds !== undefined) return speaksOfVision(kinds.value);
  const features = find(record, FEATURES);
  const isNamed = features && speaksOfVision(features.value);
  return endpoint === 'vision' ? isNamed : isNamed || undefined;
}

/** Of `text+image->text` only the input counts. */
function speaksOfVision(list: string | readonly string[]): boolean {
  const inputs = typeof list === 'string' ? (list.split('->')[0] ?? '').split(/[+, ]/) : list;
  return inputs.some((word) => /image|vision/i.test(word));
}
