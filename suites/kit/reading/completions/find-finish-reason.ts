import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Profile } from '../../model/target.ts';
import type { ItemReading } from '../errors/read-error.ts';
import { isJsonObject, childPointer, type Found, valueAt } from '../json.ts';
import { isText, memberNamed, normalizeName, words } from '../names.ts';
import { pinnedText } from '../pins.ts';
import { isResult } from './find-usage.ts';

// `status` is missing on purpose: it may be the status of the whole answer.
const NAMES = words(`
  finishreason stopreason donereason endreason finishedreason stoppingreason completionreason
  terminationreason reasonfinished finishdetails finishtype finish stoptype endedby reason
  completionstatus
`);

/** The unambiguous ones, wherever they are. */
const SURE_NAMES = NAMES.slice(0, NAMES.indexOf('finishdetails'));
const MAX_DEPTH = 4;

/** Known members of a response, a choice or a message that are not a finish reason. */
const OTHER: ReadonlySet<string> = new Set(
  words(`
    id object type model choices created createdat timestamp requestid traceid systemfingerprint servicetier
    provider usage tokenusage usagemetadata metadata meta index message delta text logprobs role content
    refusal annotations audio toolcalls functioncall reasoning reasoningcontent name warnings promptlogprobs
  `),
);

/** The finish reason of a choice (RES-3): where the profile pins it, or else under any plausible name. */
export function findFinishReason(body: JsonObject, index: number, profile: Profile): ItemReading {
  const pinned = pinnedText(profile, 'response.finish_reason')?.replace('/choices/0/', `/choices/${index}/`);
  if (pinned !== undefined) return filled(pinned, valueAt(body, pinned)) ?? 'absent';
  return findUnpinned(body, index);
}

/** The finish reason in one event of a stream; the pin for responses only says where to look first. */
export function findStreamFinishReason(body: JsonObject, profile: Profile): ItemReading {
  const pinned = pinnedText(profile, 'stream.finish_reason');
  if (pinned !== undefined) return filled(pinned, valueAt(body, pinned)) ?? 'absent';
  const first = pinnedText(profile, 'response.finish_reason');
  return (first === undefined ? undefined : filled(first, valueAt(body, first))) ?? findUnpinned(body, 0);
}

function findUnpinned(body: JsonObject, index: number): ItemReading {
  const at = `/choices/${index}`;
  const usual = filled(`${at}/finish_reason`, valueAt(body, `${at}/finish_reason`));
  if (usual) return usual;

  const places = [at, `${at}/message`, `${at}/delta`, ''];
  for (const place of places) {
    const object = valueAt(body, place);
    const found = isJsonObject(object) ? memberNamed(object, NAMES, isReason, place) : undefined;
    if (found) return found;
  }
  const deep = deepReason(body, index);
  if (deep) return deep;
  return places.some((place) => hasUnknownMember(valueAt(body, place))) ? 'unrecognised' : 'absent';
}

/** In the choice or beside the choices, but not inside lists, which may hold another choice. */
function deepReason(body: JsonObject, index: number): Found | undefined {
  const at = `/choices/${index}`;
  return reasonBelow(valueAt(body, at), at, MAX_DEPTH) ?? reasonBelow(body, '', MAX_DEPTH);
}

function reasonBelow(value: JsonValue | undefined, pointer: string, deep: number): Found | undefined {
  if (!isJsonObject(value) || deep === 0) return undefined;
  const here = memberNamed(value, SURE_NAMES, isReason, pointer);
  if (here) return here;
  for (const [name, inner] of Object.entries(value)) {
    const found = reasonBelow(inner, childPointer(pointer, name), deep - 1);
    if (found) return found;
  }
  return undefined;
}

function filled(pointer: string, value: JsonValue | undefined): Found | undefined {
  return value !== undefined && isReason(value) ? { pointer, value } : undefined;
}

/** A word, an enumeration value, or an object with details. */
function isReason(value: JsonValue): value is JsonValue {
  if (isText(value) || typeof value === 'number') return true;
  return isJsonObject(value) && Object.keys(value).length > 0 && !isResult(value);
}

function hasUnknownMember(object: JsonValue | undefined): boolean {
  if (!isJsonObject(object)) return false;
  return Object.entries(object).some(
    ([name, value]) =>
      !OTHER.has(normalizeName(name)) && !NAMES.includes(normalizeName(name)) && isReason(value),
  );
}

/** The same pointer for the first choice, as profiles and reports write it. */
export function inFirstChoice(pointer: string): string {
  return pointer.replace(/^\/choices\/\d+(?=\/)/, childPointer('/choices', 0));
}
