import { refusedUnlikeCounterpart, requireErrorObject } from '../kit/judging/is-refused.ts';
import type { Judgement } from '../kit/model/check.ts';
import type { ListedModel, TargetInfo } from '../kit/model/target.ts';
import { usableModels } from '../kit/provoking/listed-models.ts';

/** A model whose context size is known, in tokens. */
export type SizedModel = ListedModel & { readonly contextTokens: number };

/** The models with a known context size, smallest first. */
export function knownContexts(info: TargetInfo): readonly SizedModel[] {
  return usableModels(info)
    .filter(isSized)
    .toSorted((one, other) => one.contextTokens - other.contextTokens);
}

/** The most output that a service is asked for without permission where it may grant it. */
export const MOST_PAID_OUTPUT = 4096;

/** The largest context that is filled without permission: beyond it the input would be expensive if it were accepted. */
export const LARGEST_FILLED = 8192;

/** The models with a known context that is filled without permission, smallest first. */
export function smallContexts(info: TargetInfo): readonly SizedModel[] {
  return knownContexts(info).filter(({ contextTokens }) => contextTokens <= LARGEST_FILLED);
}

/** Why context sizes cannot be tested; undefined when one is known. */
export function missingContextSize(info: TargetInfo): string | undefined {
  if (knownContexts(info).length > 0) return undefined;
  return 'no context size is known: name one in a profile ("models": { "<id>": { "contextTokens": … } })';
}

function isSized(model: ListedModel): model is SizedModel {
  return model.contextTokens !== undefined;
}

/**
 * Judges a chat that is too large and whose counterpart is not: it is refused with an error object. The code and the
 * message of a token limit error are open (ERR-9).
 */
export function isTokenLimitError(why: string): Judgement {
  return (trial, info) => requireErrorObject(refusedUnlikeCounterpart(trial, info, why), trial, info);
}

const WORDS = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'jetty'];

/** A text of about so many tokens of four bytes. It repeats nothing, so that no tokenizer makes it much shorter. */
export function longText(tokens: number): string {
  const parts: string[] = [];
  for (let bytes = 0, i = 0; bytes < tokens * 4; i += 1) {
    const part = `${WORDS[i % WORDS.length] ?? ''} ${(i * 7919) % 9973},`;
    parts.push(part);
    bytes += part.length + 1;
  }
  return `${parts.join(' ')} and no more. Answer in one word.`;
}
