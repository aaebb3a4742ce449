import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../is-json-object.ts';
import { memberNamed, plainName } from '../member-named.ts';
import { words } from '../words.ts';

const FLAGS = words(`
  vision visionenabled hasvision visionsupported visionavailable supportsvision supportvision imageinput
  imageinputenabled imageinputavailable imageinputsupported supportsimageinput supportsimages supportsimage
  acceptsimages imagesupport images image multimodal
`);
/** Flags that speak of vision only where everything does: in the answer of the vision endpoint. */
const FLAGS_OF_THE_ENDPOINT = words('enabled available supported supports active value');
/** Lists of all that goes in: what they leave out does not. */
const LISTS = words(`
  inputmodalities modalities supportedinputmodalities modality input inputs inputtypes
`);
/** Lists of whatever is worth a word: only the vision endpoint leaves vision out where there is none. */
const LOOSE_LISTS = words('capabilities features');
const HOLDERS = words(`
  capabilities architecture features modalities supports vision limits imageinput images image
`);
const HOLDERS_OF_VISION = new Set(words('vision imageinput images image'));

/**
 * Whether a record says that image input is enabled; undefined when it does not speak of it.
 * `endpoint` is the record's: that of the vision endpoint may say just `enabled`.
 */
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
  for (const name of HOLDERS) {
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

/** Of `text+image->text` only what goes in counts. */
function wordsOf(list: string | readonly string[]): string[] {
  if (typeof list !== 'string') return list.map(plainName);
  return (list.split('->')[0] ?? '').split(/[+, ]/).map(plainName);
}
