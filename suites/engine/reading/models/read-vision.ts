import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile } from '../../model/target.ts';
import { childPointer, type Found, isJsonObject, readJson, valueAt } from '../json.ts';
import { normalizeName, pinnedPointer } from '../locate.ts';
import { findModelList } from './model-list.ts';
import { visionOf } from './model-record.ts';

/** Vision by model. A model that is not named has no vision: it must be enabled. */
export interface VisionByModel {
  readonly kind: 'by-model';
  readonly shape: 'ids' | 'records' | 'map';
  readonly pointer: string;
  readonly vision: ReadonlyMap<string, boolean>;
}

export type VisionReading =
  | VisionByModel
  /** One flag for the whole service, which does not say for which models. */
  | { readonly kind: 'flag'; readonly available: boolean }
  | { readonly kind: 'unrecognised'; readonly reason: string };

/**
 * Reads for which models image input is enabled: where the profile pins the list, or else in the one list that names any of
 * the `listed` models, or none at all, or else in a flag. Never throws.
 */
export function readVision(answer: Answer, profile: Profile, listed: readonly string[]): VisionReading {
  const body = readJson(answer);
  if (body.kind === 'no-json') return unrecognised(`no vision information was recognised in ${body.reason}`);
  const pin = pinnedPointer(profile, 'vision.list');
  const pinned = pin === undefined ? undefined : valueAt(body.value, pin);
  const atPin =
    pin === undefined || pinned === undefined ? undefined : byModel({ pointer: pin, value: pinned }, true);
  if (atPin !== undefined) return atPin;
  const lists = placesIn(body.value).flatMap((place) => byModel(place, false) ?? []);
  const ofListed = lists.filter(({ vision }) => vision.size === 0 || listed.some((id) => vision.has(id)));
  if (ofListed.length < 2) return ofListed[0] ?? flagIn(body.value);
  const pointers = ofListed.map(({ pointer }) => pointer).join(' and ');
  return unrecognised(`models are listed at ${pointers}, and which have vision is not said`);
}

function unrecognised(reason: string): VisionReading {
  return { kind: 'unrecognised', reason };
}

/** Names of lists of models without vision, and of what is no list of models. */
const NO_LIST = /^(un|non|not|no|without|disabled|missing|text|blind|excluded|false|off|denied)|format|type/;

/** The root, and two levels below it. */
function placesIn(body: JsonValue): readonly Found[] {
  const root = { pointer: '', value: body };
  const first = membersOf(root);
  return [root, ...first, ...first.flatMap(membersOf)];
}

function membersOf({ pointer, value }: Found): Found[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .filter(([name]) => !NO_LIST.test(normalizeName(name)))
    .map(([name, inner]) => ({ pointer: childPointer(pointer, name), value: inner }));
}

function byModel(place: Found, isPinned: boolean): VisionByModel | undefined {
  return isJsonObject(place.value) ? inMap(place.pointer, place.value, isPinned) : inList(place, isPinned);
}

/** Names of lists of models with vision. */
const OF_VISION = /^$|model|data|items|vision|image|support|enabled|available|multimodal/;

/** An empty list of anything says nothing. */
const OF_MODELS = /^$|model|data|items|vision/;

/** A list of IDs or records. Where no record mentions vision, every listed model has it if the name of the list says so. */
function inList({ pointer, value }: Found, isPinned: boolean): VisionByModel | undefined {
  const found = Array.isArray(value) ? findModelList(value) : undefined;
  if (found === undefined) return undefined;
  const said = found.entries.map(({ id, record }) => ({
    id,
    enabled: isJsonObject(record) ? visionOf(record, 'vision') : undefined,
  }));
  const saysNothing = said.every(({ enabled }) => enabled === undefined);
  const name = normalizeName(pointer.slice(pointer.lastIndexOf('/') + 1));
  if (saysNothing && !isPinned && !(said.length === 0 ? OF_MODELS : OF_VISION).test(name)) return undefined;
  const vision = new Map(
    said.flatMap(({ id, enabled = saysNothing }) => (id === undefined ? [] : [[id, enabled]])),
  );
  return { kind: 'by-model', shape: found.idPointer === '' ? 'ids' : 'records', pointer, vision };
}

/** An object from model IDs to flags, or to records with a flag. */
function inMap(pointer: string, value: JsonObject, isPinned: boolean): VisionByModel | undefined {
  const vision = new Map<string, boolean>();
  for (const [id, of] of Object.entries(value)) {
    const enabled = isJsonObject(of) ? visionOf(of, 'vision') : of;
    if (typeof enabled !== 'boolean') return undefined;
    vision.set(id, enabled);
  }
  return vision.size > 0 || isPinned ? { kind: 'by-model', shape: 'map', pointer, vision } : undefined;
}

function flagIn(body: JsonValue): VisionReading {
  const available = isJsonObject(body) ? visionOf(body, 'vision') : body;
  if (typeof available === 'boolean') return { kind: 'flag', available };
  return unrecognised('no list of models with vision was recognised in the body');
}
