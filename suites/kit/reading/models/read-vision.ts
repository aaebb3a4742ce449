import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile } from '../../model/target.ts';
import { isJsonObject, childPointer, type Found, valueAt, readJson } from '../json.ts';
import { isText, normalizeName } from '../names.ts';
import { pinnedText } from '../pins.ts';
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
 * Reads for which models image input is enabled, in any shape. `listed`: the IDs of the models endpoint, which tell the
 * right one of several lists. Never throws.
 */
export function readVision(answer: Answer, profile: Profile, listed: readonly string[] = []): VisionReading {
  const body = readJson(answer);
  if (body.kind === 'no-json')
    return { kind: 'unrecognised', reason: `no vision information was recognised in ${body.reason}` };
  const pinned = pinnedText(profile, 'vision.list');
  const readings = places(body.value, pinned).flatMap((place) => map(place, pinned) ?? list(place) ?? []);
  const ofListed = readings.filter(({ vision }) => listed.some((id) => vision.has(id)));
  const byModel = listOfVisionModels(ofListed);
  return (
    readings.find(({ pointer }) => pointer === pinned) ??
    (byModel && reconcileWithFlag(byModel, body.value)) ??
    readings.find(({ pointer }) => isAboutModels(pointer)) ??
    flag(body.value) ?? {
      kind: 'unrecognised',
      reason: 'no list of models with vision was recognised in the body',
    }
  );
}

/** Of several lists of models, the one whose name says that it lists models with vision. */
function listOfVisionModels(readings: readonly VisionByModel[]): VisionReading | undefined {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0 || first.shape === 'map') return first;
  const namedForVision = readings.filter(({ pointer }) => SAYS_VISION.test(normalizeName(nameOf(pointer))));
  const [only, ...more] = namedForVision.length > 0 ? namedForVision : readings.filter(deniesVisionToSome);
  if (only !== undefined && more.length === 0) return only;
  return {
    kind: 'unrecognised',
    reason: `models are listed at ${readings.map(({ pointer }) => pointer).join(' and ')}, and which have vision is not said`,
  };
}

/**
 * Beside a flag for the whole service, a list named for neither models nor vision may list the exceptions; and a list
 * that the flag contradicts is not reliable.
 */
function reconcileWithFlag(reading: VisionReading, body: JsonValue): VisionReading {
  if (reading.kind !== 'by-model' || reading.pointer === '' || reading.shape === 'map') return reading;
  const said = flag(body);
  if (said?.kind !== 'flag') return reading;
  const name = normalizeName(nameOf(reading.pointer));
  const hasAny = [...reading.vision.values()].includes(true);
  if (
    said.available &&
    !SAYS_VISION.test(name) &&
    !isAboutModels(reading.pointer) &&
    !deniesVisionToSome(reading)
  )
    return said;
  if (said.available || !hasAny) return reading;
  return {
    kind: 'unrecognised',
    reason: `a flag says that there is no vision, and models are listed at ${reading.pointer}`,
  };
}

const SAYS_VISION = /vision|image|support|enabled|available|multimodal/;

/** A list whose records deny vision to some models needs no particular name. */
function deniesVisionToSome({ vision }: VisionByModel): boolean {
  return [...vision.values()].includes(false);
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** The pinned place, the root, and two levels below it. */
function places(body: JsonValue, pinned: string | undefined): Found[] {
  const root = { pointer: '', value: body };
  const first = members(root);
  const found = [root, ...first, ...first.flatMap(members)];
  const value = pinned === undefined ? undefined : valueAt(body, pinned);
  return pinned === undefined || value === undefined ? found : [{ pointer: pinned, value }, ...found];
}

/** Without members for models that have no vision. */
function members({ pointer, value }: Found): Found[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .filter(
      ([name]) =>
        !/^(un|non|not|no|without|disabled|missing|text|blind|excluded|false|off|denied)/.test(
          normalizeName(name),
        ),
    )
    .map(([name, inner]) => ({ pointer: childPointer(pointer, name), value: inner }));
}

/** An array of IDs or records. Where no record mentions vision, every listed model has it. */
function list({ pointer, value }: Found): VisionByModel | undefined {
  const found = Array.isArray(value) ? findModelList(value) : undefined;
  if (found === undefined) return undefined;
  const records = found.entries.map(
    ({ id, record }) => [id, isJsonObject(record) ? visionOf(record, 'vision') : undefined] as const,
  );
  const unsaid = records.every(([, enabled]) => enabled === undefined);
  const vision = new Map(
    records.flatMap(([id, enabled]) => (id === undefined ? [] : [[id, enabled ?? unsaid]])),
  );
  return {
    kind: 'by-model',
    shape: found.entries.every(({ record }) => isText(record)) ? 'ids' : 'records',
    pointer,
    vision,
  };
}

/** An object from model IDs to flags, or to records with a flag. */
function map({ pointer, value }: Found, pinned: string | undefined): VisionByModel | undefined {
  if (!isJsonObject(value)) return undefined;
  const vision = new Map<string, boolean>();
  for (const [id, of] of Object.entries(value)) {
    const enabled = isJsonObject(of) ? visionOf(of, 'vision') : of;
    if (typeof enabled !== 'boolean' || isWord(id)) return undefined;
    vision.set(id, enabled);
  }
  return vision.size === 0 && pointer !== pinned
    ? undefined
    : { kind: 'by-model', shape: 'map', pointer, vision };
}

function flag(body: JsonValue): VisionReading | undefined {
  const available = isJsonObject(body) ? visionOf(body, 'vision') : body;
  return typeof available === 'boolean' ? { kind: 'flag', available } : undefined;
}

function isAboutModels(pointer: string): boolean {
  return pointer === '' || /model|data|items|vision/.test(normalizeName(nameOf(pointer)));
}

const WORDS =
  /^(vision|images?|enabled|available|supported|supports|data|models|object|capabilities|success|ok|multimodal|hasmore|imageinput\w*|vision\w*|supports\w+)$/;

/** Names of flags and envelopes, which are not model IDs. */
function isWord(name: string): boolean {
  return WORDS.test(normalizeName(name));
}
