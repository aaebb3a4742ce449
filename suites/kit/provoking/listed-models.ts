import { interleave } from '../../../fixtures/chats/combinations.ts';
import type { Draft, KeyName } from '../model/exchange.ts';
import type { ListedModel, TargetInfo } from '../model/target.ts';

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

const MAX_OTHERS = 8;

/** The next cheapest models after the first; none where every completion counts. */
export function otherModels(
  { models, thrifty }: TargetInfo,
  among: readonly ListedModel[] = models,
): readonly ListedModel[] {
  return thrifty ? [] : among.slice(1, 1 + MAX_OTHERS);
}
