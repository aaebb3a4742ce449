import { ENDPOINTS } from '../../../../fixtures/chats/chat.ts';
import { interleave } from '../../../../fixtures/chats/combinations.ts';
import type { Draft, KeyName } from '../../model/exchange.ts';
import type { Stimulus } from '../../model/stimulus.ts';
import type { ListedModel, TargetInfo } from '../../model/target.ts';
import { requestStimulus } from './request-stimulus.ts';

const MAX_MODELS = 20;

export interface KeyedModel {
  readonly model: string;
  readonly key: KeyName;
}

/** The models of the primary and of the second key, alternating, cheapest first. */
export function listedModels({ models, secondModels = [] }: TargetInfo): readonly KeyedModel[] {
  return interleave(listedTo('primary', models), listedTo('second', secondModels));
}

export function withKey({ key }: Pick<KeyedModel, 'key'>): Pick<Draft, 'credential'> {
  return { credential: { kind: 'key', name: key } };
}

function listedTo(key: KeyName, models: readonly ListedModel[]): readonly KeyedModel[] {
  return models.slice(0, MAX_MODELS).map(({ id: model }) => ({ model, key }));
}

/** The models of the primary key that can be used, as far as the run knows; the first one always. */
export function usableModels({ models }: Pick<TargetInfo, 'models'>): readonly ListedModel[] {
  return models.filter(({ unusable }) => unusable !== true);
}

const MOST_NAMED = 5;

/** Models that no request of a check goes to, as a part of a reason. */
export function unasked(models: readonly ListedModel[]): string {
  const ids = models.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = models.length > ids.length ? ` and ${models.length - ids.length} more` : '';
  return models.length === 0 ? '' : ` (not asked: ${ids.join(', ')}${more})`;
}

const MAX_OTHERS = 8;

/** The next cheapest models after the first; none where every completion counts. */
export function otherModels(info: TargetInfo, among = usableModels(info)): readonly ListedModel[] {
  return info.thrifty ? [] : among.slice(1, 1 + MAX_OTHERS);
}

/** A GET without a body, once with each of these keys that the run has. */
export function getStimulus(name: string, path: string, keys: readonly KeyName[]): Stimulus {
  return requestStimulus({
    name,
    stage: 'free',
    cappedCount: keys.length,
    readsOnly: true,
    inputs: (info) => ({ examples: keys.filter((key) => info.keys.has(key)) }),
    requests: (key) => ({ shared: [{ method: 'GET', path, ...withKey({ key }) }] }),
  });
}

export const modelListings = getStimulus('model-listings', ENDPOINTS.models, ['primary', 'second']);
