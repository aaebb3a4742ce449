import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { check } from '../kit/model/check.ts';
import type { Draft, Exchange } from '../kit/model/exchange.ts';
import { notExercised } from '../kit/model/ruling.ts';
import { stimulus, type Trial } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { chatDraft } from '../kit/provoking/chat-drafts.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { countsTokens } from '../kit/reading/completions/find-usage.ts';
import { readCompletion } from '../kit/reading/completions/read-completion.ts';
import { servedInput } from './served-inputs.ts';
import {
  knownContexts,
  missingContextSize,
  type SizedModel,
  longText,
  isTokenLimitError,
} from './token-limits.ts';

const INPUT_TOKENS = 96;
const OUTPUT_TOKENS = 8;

/** The chat that is too large and its counterpart, which is the only one where it was not served. */
interface TogetherTrial extends Trial {
  /** Tokens of the input, from the usage of the counterpart, if it reports them. */
  readonly inputTokens: number | undefined;
}

/**
 * The same input twice: with little output (the counterpart, whose usage may show the input tokens), and with so much
 * output that either fits the smallest known context, but not both together. Where the tokens are unknown, the output
 * fills the context: beside it any input is too much, however it is counted.
 */
const inputPlusOutput = stimulus<TogetherTrial, SizedModel>({
  name: 'input-plus-output',
  stage: 'paid',
  cappedCount: 1,
  skipReason: missingContextSize,
  inputs: (info) => ({ examples: knownContexts(info).slice(0, 1) }),
  // No other check uses this counterpart.
  cost: () => ({ served: 1, refused: 1, open: 1 }),
  send: async (model, sender, info) => {
    const { contextTokens } = model;
    const counterpart = await sender.send(littleOutput(model));
    const inputTokens = inputTokensOf(counterpart, info);
    if (servedInput(0, counterpart, info) === undefined)
      return { exchanges: [counterpart], counterpart, inputTokens };
    const max_tokens = contextTokens - Math.floor((inputTokens ?? 0) / 2);
    const mutant = chatDraft({ ...longChat(model), max_tokens }, { needsOutput: max_tokens });
    return { exchanges: [await sender.send(mutant)], counterpart, inputTokens };
  },
});

function longChat({ id, contextTokens }: SizedModel): Omit<ChatBody, 'max_tokens'> {
  const content = longText(Math.min(INPUT_TOKENS, contextTokens / 4));
  return { model: id, messages: [{ role: 'user', content }] };
}

function littleOutput(model: SizedModel): Draft {
  return chatDraft({ ...longChat(model), max_tokens: OUTPUT_TOKENS });
}

function inputTokensOf(exchange: Exchange, info: TargetInfo): number | undefined {
  if (exchange.outcome.kind !== 'answered') return undefined;
  const usage = readCompletion(answerOf(exchange), info)?.usage;
  const count = typeof usage === 'object' ? usage.input : undefined;
  if (count === undefined || !countsTokens(count, 'response.usage.input', info.profile)) return undefined;
  // A single token cannot be halved.
  return count.value >= 2 ? count.value : undefined;
}

const isRefusedTogether = isTokenLimitError(
  'input and requested output together are larger than the context',
);

export const inputAndOutputTogether = check({
  id: 'input-and-output-together',
  clauses: ['LIM-1'],
  title: 'refuses an input and a requested output that fit the context separately but not together',
  given: inputPlusOutput,
  holds: (trial, info) => {
    const { counterpart, exchanges } = trial;
    // Such a journal was written by an earlier release.
    if (
      exchanges[0]?.id === counterpart?.id &&
      counterpart &&
      servedInput(0, counterpart, info) !== undefined
    )
      return notExercised('the usage does not report input tokens');
    return isRefusedTogether(trial, info);
  },
});
