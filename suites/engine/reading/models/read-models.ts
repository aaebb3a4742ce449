import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { type Answer, isCutShort } from '../../model/exchange.ts';
import type { Profile, ListedModel, TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { isErrorBody } from '../errors/disposition.ts';
import { isJsonObject, jsonText, readJson, valueAt } from '../json.ts';
import { namesIn, normalizeName } from '../locate.ts';
import { findModelList, type ModelEntry, type ModelList } from './model-list.ts';
import { contextTokensOf, outputTokensOf, priceOf, visionOf } from './model-record.ts';
import { readVision, type VisionReading } from './read-vision.ts';

/** An answer of the models endpoint. `models`: in the order of the list, each ID once. */
export type ModelsReading =
  | { readonly kind: 'models'; readonly list: ModelList; readonly models: readonly ListedModel[] }
  /** The answer cannot hold a list of models in any shape. */
  | { readonly kind: 'no-list'; readonly reason: string }
  /** The answer may hold one in an unknown shape. */
  | { readonly kind: 'unrecognised'; readonly reason: string };

/** What a profile says, and where this run found the model IDs that are served. */
export type ModelPins = Pick<TargetInfo, 'profile' | 'modelIdAt'>;

/**
 * Reads the models that an answer lists: IDs, and where records or the profile say so, context sizes, vision
 * and prices. Read once per answer; never throws.
 */
export const readListing: (answer: Answer, known: ModelPins) => ModelsReading = readOnce(read);

function read(answer: Answer, { profile, modelIdAt }: ModelPins): ModelsReading {
  const body = readJson(answer);
  // Of a cut body the rest may be a list.
  if (body.kind === 'no-json')
    return { kind: isCutShort(answer) ? 'unrecognised' : 'no-list', reason: body.reason };
  const pins = { ...profile.pins, ...(modelIdAt !== undefined && { 'models.id': modelIdAt }) };
  const list = findModelList(body.value, { pins });
  const isElse = list === undefined && isSomethingElse(body.value);
  if (isElse) return { kind: 'no-list', reason: `the body ${jsonText(body.value).slice(0, 60)}` };
  const found = list ?? recordsById(body.value, '/data') ?? recordsById(body.value, '');
  if (found !== undefined) return { kind: 'models', list: found, models: modelsOf(found.entries, profile) };
  return { kind: 'unrecognised', reason: 'no list of models was recognised in the body' };
}

/** A scalar, an error, or a completion: none of them holds a list of models in any shape. */
function isSomethingElse(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return isErrorBody(value) || (isJsonObject(value) && Array.isArray(value['choices']));
}

/** What may stand in such a place beside a list in an unknown shape, and is no ID of a model. */
const OF_ENVELOPES = namesIn('data model models items list result results response meta page links');

/** What only records of models have, beside the facts that are read. */
const OF_RECORDS = namesIn('id object name displayname created ownedby owner provider family');

/** Records by their ID, at a place where anything may stand: each of them says something of a model. */
function recordsById(body: JsonValue, pointer: string): ModelList | undefined {
  const value = valueAt(body, pointer);
  const records = isJsonObject(value) ? Object.entries(value) : [];
  if (records.length === 0 || !records.every(([id, record]) => isOfModel(id, record))) return undefined;
  return { pointer, idPointer: undefined, entries: records.map(([id, record]) => ({ id, record })) };
}

function isOfModel(id: string, record: JsonValue): boolean {
  if (!isJsonObject(record) || OF_ENVELOPES.has(normalizeName(id))) return false;
  const isNamed = Object.keys(record).some((name) => OF_RECORDS.has(normalizeName(name)));
  return isNamed || Object.keys(factsOf(record)).length > 0;
}

function modelsOf(entries: readonly ModelEntry[], profile: Profile): ListedModel[] {
  const byId = new Map<string, ListedModel>();
  for (const { id, record } of entries) {
    if (id !== undefined && !byId.has(id)) byId.set(id, { ...factsOf(record), ...profile.models?.[id], id });
  }
  return [...byId.values()];
}

/** A smaller number is probably in thousands of tokens. */
const SMALLEST_CONTEXT = 256;

function factsOf(record: JsonValue): Omit<ListedModel, 'id'> {
  if (!isJsonObject(record)) return {};
  const contextTokens = contextTokensOf(record);
  const maxOutputTokens = outputTokensOf(record);
  const vision = visionOf(record, 'models');
  const price = priceOf(record);
  return {
    ...(contextTokens !== undefined && contextTokens >= SMALLEST_CONTEXT && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(vision !== undefined && { vision }),
    ...(price !== undefined && { price }),
  };
}

/**
 * The models of a key: those that the models endpoint lists, with facts from the record, the vision endpoint and the
 * profile, of which the later wins; the model of the profile first, then the cheapest.
 */
export function discoverModels(listing: Answer, vision: Answer | undefined, known: ModelPins): ModelsReading {
  const { profile } = known;
  const reading = readListing(listing, known);
  if (reading.kind !== 'models') return reading;
  const models = vision === undefined ? reading.models : withVision(reading.models, vision, profile);
  return { ...reading, models: models.toSorted((one, other) => rank(one, profile) - rank(other, profile)) };
}

function withVision(models: readonly ListedModel[], answer: Answer, profile: Profile): ListedModel[] {
  const listed = models.map(({ id }) => id);
  const reading = readVision(answer, profile, listed);
  return models.map((model) => {
    const vision = profile.models?.[model.id]?.vision ?? visionFrom(reading, model);
    return vision === undefined ? model : { ...model, vision };
  });
}

function visionFrom(reading: VisionReading, model: ListedModel): boolean | undefined {
  if (reading.kind === 'by-model') return reading.vision.get(model.id) ?? false;
  return reading.kind === 'flag' && !reading.available ? false : model.vision;
}

/** Equal prices keep the order of the list; a model without a price comes last. */
function rank(model: ListedModel, profile: Profile): number {
  if (model.id === profile.model) return -1;
  return model.price ?? Number.MAX_VALUE;
}
