import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft } from '../engine/model/exchange.ts';
import { notExercised } from '../engine/model/ruling.ts';
import type { Stimulus } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { hasSucceeded } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { knownContexts, MOST_PAID_OUTPUT, type SizedModel, isTokenLimitError } from './token-limits.ts';

/** Room for the smallest input in the larger context, however it is counted. */
const ROOM_FOR_INPUT = 256;

interface TwoModels {
  readonly smaller: SizedModel;
  readonly larger: SizedModel;
}

/**
 * The same chat to two models, with a max_tokens between the sizes of their contexts: the counterpart is for the model
 * with the larger one. Where both are served, the largest model is asked for more than it has room for. Paid where
 * max_tokens is small, costly where it is large.
 */
function chatBetweenContexts(name: string, stage: 'paid' | 'costly'): Stimulus {
  return requestStimulus({
    name,
    stage,
    cappedCount: 1,
    skipReason: (info) => {
      const pair = twoModels(info);
      if (pair === undefined)
        return 'no two models are known to have different context sizes: name them in a profile ("models": { "<id>": { "contextTokens": … } })';
      const tokens = outputBetween(pair);
      if (tokens > MOST_PAID_OUTPUT === (stage === 'costly')) return undefined;
      return stage === 'costly'
        ? 'the contexts are small: see context-differs-by-model'
        : `it takes ${tokens} output tokens: see large-context-differs-by-model`;
    },
    inputs: (info) => ({ examples: [twoModels(info)].filter((pair) => pair !== undefined) }),
    requests: (pair, info) => ({
      counterpart: draftFor(pair.larger, pair, info),
      refused: [draftFor(pair.smaller, pair, info)],
      next: { when: hasSucceeded, refused: [beyondAll(info)] },
    }),
  });
}

function draftFor({ id }: SizedModel, pair: TwoModels, info: TargetInfo): Draft {
  const max_tokens = outputBetween(pair);
  return chatDraft({ ...smallestChat(info), max_tokens, model: id }, { needsOutput: max_tokens });
}

/** More output than the largest known context has room for: where that is accepted, no limit is held at all. */
function beyondAll(info: TargetInfo): Draft {
  const chat = smallestChat(info);
  const largest = knownContexts(info).at(-1);
  const max_tokens = (largest?.contextTokens ?? 0) + 1;
  return chatDraft({ ...chat, max_tokens, model: largest?.id ?? chat.model }, { needsOutput: max_tokens });
}

function twoModels(info: TargetInfo): TwoModels | undefined {
  const [smaller, ...others] = knownContexts(info);
  const larger = others.find(
    ({ contextTokens }) => smaller && contextTokens > smaller.contextTokens + ROOM_FOR_INPUT,
  );
  return smaller && larger && { smaller, larger };
}

function outputBetween({ smaller }: TwoModels): number {
  return smaller.contextTokens + 1;
}

const isOverOwnLimit = isTokenLimitError('the requested output is larger than the context of the model');

const isHeldToOwnLimit: Judgement = (trial, info) => {
  const ruling = isOverOwnLimit(trial, info);
  const [, beyond] = trial.exchanges;
  if (ruling.kind !== 'violated' || beyond === undefined || dispositionOf(beyond, info) !== 'served')
    return ruling;
  return notExercised('no context limits a requested output: see ERR-4');
};

const DIFFERS = {
  clauses: ['LIM-2'],
  title: 'limits a model to its own context size where another model has a larger one',
  because:
    'limits can differ per model; where the target or the profile says that they do, each model has its own',
  holds: isHeldToOwnLimit,
} as const;

export const contextDiffersByModel = check({
  ...DIFFERS,
  id: 'context-differs-by-model',
  given: chatBetweenContexts('between-contexts', 'paid'),
});

export const largeContextDiffersByModel = check({
  ...DIFFERS,
  id: 'large-context-differs-by-model',
  title: `${DIFFERS.title}, when both are large`,
  given: chatBetweenContexts('between-large-contexts', 'costly'),
});
