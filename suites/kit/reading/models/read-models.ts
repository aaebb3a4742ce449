import { contextTokensOf } from './context-size.ts';
import type { Answer } from '../../model/exchange.ts';
import { isJsonObject } from '../is-json-object.ts';
import { findModelList, type ModelEntry, type ModelList } from './model-list.ts';
import { priceOf } from './model-price.ts';
import { readOnce } from '../read-once.ts';
import type { Profile } from '../../model/profile.ts';
import { readJson } from '../read-json.ts';
import { pinnedText } from '../read-pin.ts';
import type { ListedModel } from '../../model/target-info.ts';
import { visionOf } from '../vision/vision-flag.ts';

/** What an answer of the models endpoint says. `models`: in the order of the list, each ID once. */
export type ModelsReading =
  | { readonly kind: 'models'; readonly list: ModelList; readonly models: readonly ListedModel[] }
  /** It cannot hold a list of models, whatever its shape. */
  | { readonly kind: 'no-list'; readonly reason: string }
  /** It may hold one in a shape that nobody foresaw. */
  | { readonly kind: 'unrecognised'; readonly reason: string };

/**
 * Reads the models that an answer lists: IDs, and where records or the profile say so, context sizes, vision
 * and prices. Read once per answer; never throws.
 */
export const readModels: (answer: Answer, profile: Profile) => ModelsReading = readOnce(read);

function read(answer: Answer, profile: Profile): ModelsReading {
  const body = readJson(answer);
  if (body.kind === 'no-json') return { kind: 'no-list', reason: body.reason };
  if (typeof body.value !== 'object' || body.value === null) {
    return { kind: 'no-list', reason: `the body is ${JSON.stringify(body.value).slice(0, 40)}` };
  }
  const list = findModelList(body.value, pinsOf(profile));
  if (list === undefined)
    return { kind: 'unrecognised', reason: 'no list of models was recognised in the body' };
  return { kind: 'models', list, models: modelsOf(list.entries, profile) };
}

function pinsOf(profile: Profile): { list?: string; id?: string } {
  const list = pinnedText(profile, 'models.list');
  const id = pinnedText(profile, 'models.id');
  return { ...(list !== undefined && { list }), ...(id !== undefined && { id }) };
}

function modelsOf(entries: readonly ModelEntry[], profile: Profile): ListedModel[] {
  const byId = new Map<string, ListedModel>();
  for (const { id, record } of entries) {
    if (id !== undefined && !byId.has(id)) byId.set(id, { ...factsOf(record), ...profile.models?.[id], id });
  }
  return [...byId.values()];
}

/** A smaller one is rather told in thousands of tokens. */
const SMALLEST_CONTEXT = 256;

function factsOf(record: ModelEntry['record']): Omit<ListedModel, 'id'> {
  if (!isJsonObject(record)) return {};
  const size = contextTokensOf(record);
  const contextTokens = size !== undefined && size >= SMALLEST_CONTEXT ? size : undefined;
  const vision = visionOf(record, 'models');
  const price = priceOf(record);
  return {
    ...(contextTokens !== undefined && { contextTokens }),
    ...(vision !== undefined && { vision }),
    ...(price !== undefined && { price }),
  };
}
