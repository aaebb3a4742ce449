import type { ListedModel, Survey } from '../kit/model/target-info.ts';

/** A model whose context size is known, in tokens. */
export type SizedModel = ListedModel & { readonly contextTokens: number };

/** Those models of the key, smallest context first. */
export function knownContexts({ models }: Survey): readonly SizedModel[] {
  return models.filter(isSized).toSorted((one, other) => one.contextTokens - other.contextTokens);
}

/** Why nothing can be asked about context sizes; undefined when one is known. */
export function lacksKnownContext(survey: Survey): string | undefined {
  if (knownContexts(survey).length > 0) return undefined;
  return 'no context size is known: name one in a profile ("models": { "<id>": { "contextTokens": … } })';
}

function isSized(model: ListedModel): model is SizedModel {
  return model.contextTokens !== undefined;
}
