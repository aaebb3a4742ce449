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
import {
  knownContexts,
  missingContextSize,
  type SizedModel,
  longText,
  isTokenLimitError,
} from './token-limits.ts';

const INPUT_TOKENS = 96;
const OUTPUT_TOKENS = 8;

/** The chat that is too large and its counterpart; only the counterpart where its usage did not show the input tokens. */
interface TogetherTrial extends Trial {
  /** Tokens of the input, from the usage of the counterpart. */
  readonly inputTokens: number | undefined;
}

/**
 * The same input twice: with little output (the counterpart, whose usage shows the input tokens), and with so much
 * output that either fits the smallest known context, but not both together.
 */
const inputPlusOutput = stimulus<TogetherTrial, SizedModel>({
  name: 'input-plus-output',
  stage: 'paid',
  cappedCount: 1,
  skipReason: missingContextSize,
  inputs: (info) => ({ examples: knownContexts(info).slice(0, 1) }),
  // No other check uses this counterpart, and without its usage there is nothing more to send.
  cost: () => ({ served: 1, refused: 1, open: 1 }),
  send: async (model, sender, info) => {
    const { contextTokens } = model;
    const counterpart = await sender.send(littleOutput(model));
    const inputTokens = inputTokensOf(counterpart, info);
    if (inputTokens === undefined) return { exchanges: [counterpart], counterpart, inputTokens };
    const max_tokens = contextTokens - Math.floor(inputTokens / 2);
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
    if (trial.inputTokens !== undefined) return isRefusedTogether(trial, info);
    return notExercised(
      'the usage does not report input tokens',
      'pin "response.usage" and "response.usage.input" in a profile',
    );
  },
});
