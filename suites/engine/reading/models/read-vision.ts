import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile } from '../../model/target.ts';
import { childPointer, isJsonObject, readJson, valueAt } from '../json.ts';
import { normalizeName, pinnedPointer, words } from '../locate.ts';
import { findModelList } from './model-list.ts';
import { visionOf } from './model-record.ts';

/** Vision by model. A model that is not named has no vision: it must be enabled. */
interface VisionByModel {
  readonly kind: 'by-model';
  readonly shape: 'ids' | 'records' | 'map';
  readonly pointer: string;
  readonly vision: ReadonlyMap<string, boolean>;
  /** Whether it says of its models which have vision; if not, its place says that all have. */
  readonly isSaid: boolean;
}

export type VisionReading =
  | VisionByModel
  /** One flag for the whole service, which does not say for which models. */
  | { readonly kind: 'flag'; readonly available: boolean }
  | { readonly kind: 'unrecognised'; readonly reason: string };

/** Where a list of models that says no more is the list of those with vision; `''`: at the root. */
const PLACES: ReadonlySet<string> = new Set([
  '',
  ...words('data models vision visionmodels imagemodels supportedmodels multimodalmodels'),
]);

/**
 * Reads for which models image input is enabled: where the profile pins the list, or else in the one list that names any of
 * the `listed` models, or none at all, or else in a flag. Never throws.
 */
export function readVision(answer: Answer, profile: Profile, listed: readonly string[]): VisionReading {
  const body = readJson(answer);
  if (body.kind === 'no-json') return unrecognised(`no vision information was recognised in ${body.reason}`);
  const { value } = body;
  const pin = pinnedPointer(profile, 'vision.list');
  const pinned = pin === undefined ? undefined : byModel(value, pin, listed);
  if (pinned !== undefined) return pinned;
  const top = childrenOf('', value);
  const pointers = ['', ...top, ...top.flatMap((pointer) => childrenOf(pointer, valueAt(value, pointer)))];
  const lists = pointers.flatMap((pointer) => byModel(value, pointer, listed) ?? []);
  const named = lists.filter(({ vision }) => listed.some((id) => vision.has(id)));
  // Beside a list of the models without vision, another one is that of those with it.
  const [blind, seeing] = [true, false].map((is) =>
    named.filter(({ pointer }) => OF_BLIND.test(pointer) === is),
  );
  const isParted = blind?.length === 1 && seeing?.length === 1;
  const ofListed = isParted ? seeing.map((list) => ({ ...list, isSaid: true })) : named;
  if (ofListed.length > 1) {
    const places = ofListed.map(({ pointer }) => pointer).join(' and ');
    return unrecognised(`models are listed at ${places}, but the answer does not say which have vision`);
  }
  const found = [...ofListed, ...lists.filter(({ vision }) => vision.size === 0)].find(
    ({ isSaid, pointer }) => isSaid || isPlace(pointer),
  );
  if (found !== undefined) return found;
  const available = isJsonObject(value) ? visionOf(value, 'vision') : value;
  if (typeof available === 'boolean') return { kind: 'flag', available };
  return unrecognised('no list of models with vision was recognised in the body');
}

function isPlace(pointer: string): boolean {
  return PLACES.has(normalizeName(pointer.slice(pointer.lastIndexOf('/') + 1)));
}

const OF_BLIND = /without|disabled|unavailable|unsupported|not|text_?only|blind/i;

/** The places of the members of an object. */
function childrenOf(pointer: string, value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value).map((name) => childPointer(pointer, name)) : [];
}

function unrecognised(reason: string): VisionReading {
  return { kind: 'unrecognised', reason };
}

/** A list of IDs or records: where no record mentions vision, each listed model has it. */
function byModel(body: JsonValue, pointer: string, listed: readonly string[]): VisionByModel | undefined {
  const value = valueAt(body, pointer);
  if (isJsonObject(value)) return inMap(pointer, value, listed);
  const found = value === undefined ? undefined : findModelList(value);
  if (found === undefined) return undefined;
  const all = found.entries.flatMap(({ id, record }) =>
    id === undefined ? [] : [{ id, enabled: isJsonObject(record) ? enabledIn(record) : undefined }],
  );
  const isSaid = all.some(({ enabled }) => enabled !== undefined);
  const vision = new Map(all.map(({ id, enabled = !isSaid }) => [id, enabled]));
  return { kind: 'by-model', shape: found.idPointer === '' ? 'ids' : 'records', pointer, vision, isSaid };
}

/** What stands in a map for the models that it does not name. */
const ANY_OTHER = /^(?:\*|default|others?)$/i;

/** An object from model IDs to flags, or to records with a flag; where it names each listed model, beside other members. */
function inMap(pointer: string, value: JsonObject, listed: readonly string[]): VisionByModel | undefined {
  const vision = new Map<string, boolean>();
  const isWhole = listed.every((id) => Object.hasOwn(value, id));
  for (const [id, of] of Object.entries(value)) {
    const enabled = enabledBy(of, isPlace(pointer));
    if (enabled !== undefined) vision.set(id, enabled);
    else if (!isWhole || listed.includes(id)) return undefined;
  }
  const [, ofOthers] = [...vision].find(([id]) => ANY_OTHER.test(id) && !listed.includes(id)) ?? [];
  if (ofOthers !== undefined) for (const id of listed) vision.set(id, vision.get(id) ?? ofOthers);
  return vision.size > 0 ? { kind: 'by-model', shape: 'map', pointer, vision, isSaid: true } : undefined;
}

/** What a member of a map says; `isOfVision`: its place says what a number means. */
function enabledBy(value: JsonValue, isOfVision: boolean): boolean | undefined {
  if (isJsonObject(value)) return enabledIn(value);
  // A list is one of the kinds of input of a model.
  if (Array.isArray(value)) return visionOf({ modalities: value }, 'vision');
  if (isOfVision && (value === 0 || value === 1)) return value === 1;
  return yesOrNo(value);
}

/** Names that speak of images, or of what an answer of this endpoint is about. */
const OF_VISION = /vision|image|picture|photo|multimodal|see|allow|enabl|support|accept/i;

/** What a record of this endpoint says, if only by a single member of such a name that can say yes or no. */
function enabledIn(record: JsonObject): boolean | undefined {
  const said = visionOf(record, 'vision');
  if (said !== undefined) return said;
  const all = Object.entries(record).filter(([name]) => OF_VISION.test(name));
  const [only, ...others] = all.flatMap(([, value]) => yesOrNo(value) ?? []);
  return others.length === 0 ? only : undefined;
}

const YES = /^(?:yes|true|on|enabled|available|supported|allowed)$/i;
const NO = /^(?:no|false|off|disabled|unavailable|unsupported|not[ _-]?\w+|none)$/i;

function yesOrNo(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  return YES.test(value) || (NO.test(value) ? false : undefined);
}
