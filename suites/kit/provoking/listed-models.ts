import { byTurns } from '../../../fixtures/chats/by-turns.ts';
import type { Draft } from '../model/draft.ts';
import type { KeyName } from '../model/exchange.ts';
import type { ListedModel, Survey } from '../model/target-info.ts';

const MOST_MODELS = 20;

/** A model, and the key whose list holds it. */
export interface ListedTo {
  readonly model: string;
  readonly key: KeyName;
}

/** The models of the primary key and those of the second one by turns, the cheapest first. */
export function listedModels({ models, secondModels = [] }: Survey): readonly ListedTo[] {
  return byTurns(listedTo('primary', models), listedTo('second', secondModels));
}

/** What makes a draft one of that key. */
export function withKey({ key }: Pick<ListedTo, 'key'>): Pick<Draft, 'credential'> {
  return { credential: { kind: 'key', name: key } };
}

function listedTo(key: KeyName, models: readonly ListedModel[]): readonly ListedTo[] {
  return models.slice(0, MOST_MODELS).map(({ id: model }) => ({ model, key }));
}
