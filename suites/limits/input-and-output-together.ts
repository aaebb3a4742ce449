import { everyScriptChat } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised } from '../engine/model/ruling.ts';
import { type Stimulus, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { tokensIn } from '../engine/reading/completions/find-usage.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { describeAnswer, dispositionOf, wasRefused } from '../engine/reading/errors/disposition.ts';
import { servedInput } from './served-inputs.ts';
import {
  knownContexts,
  MOST_PAID_OUTPUT,
  missingContextSize,
  type SizedModel,
  isTokenLimitError,
} from './token-limits.ts';

/**
 * Where the two together are refused, the second exchange asks for as much output without the input. Where they are
 * served, it asks for a token less than the context: the usage may have said too much of the input.
 */
interface TogetherTrial extends Trial {
  /** Tokens of the input, from the usage of the counterpart, if it reports them. */
  readonly inputTokens: number | undefined;
}

/** What the smallest chat takes at most, where the tokens are unknown. */
const ROOM_FOR_INPUT = 64;

/**
 * The same input twice: with little output (the counterpart, whose usage may show the input tokens), and with so much
 * output that either fits the smallest known context, but not both together. Where the tokens are unknown, the output
 * fills the context: beside it any input is too much, however it is counted.
 */
function inputPlusOutput(name: string, stage: 'paid' | 'costly'): Stimulus<TogetherTrial> {
  return stimulus<TogetherTrial, SizedModel>({
    name,
    stage,
    cappedCount: 1,
    skipReason: (info) => {
      const [smallest] = knownContexts(info);
      if (smallest === undefined || stage === 'paid' || !isSmall(smallest)) return missingContextSize(info);
      return 'a context is small: see input-and-output-together';
    },
    inputs: (info) => ({ examples: knownContexts(info).slice(0, 1) }),
    cost: (model, info) => ({
      served: isSmall(model) || stage === 'costly' ? 1 : 0,
      refused: 2,
      counterparts: [littleOutput(model, info)],
    }),
    send: async (model, sender, info) => {
      const counterpart = await sender.sendCounterpart(littleOutput(model, info));
      const inputTokens = inputTokensOf(counterpart, info);
      if (servedInput(0, counterpart, info) === undefined)
        return { exchanges: [counterpart], counterpart, inputTokens };
      const together = await sender.send(muchOutput(model, model.contextTokens - half(inputTokens), info));
      const isWorthwhile = stage === 'costly' || isSmall(model);
      const next = wasRefused(together, info)
        ? isWorthwhile && outputAlone(model, inputTokens, info)
        : inputTokens !== undefined && muchOutput(model, model.contextTokens - 1, info);
      const exchanges = next === false ? [together] : [together, await sender.send(next)];
      return { exchanges, counterpart, inputTokens };
    },
  });
}

const half = (tokens = 0): number => Math.floor(tokens / 2);

function isSmall({ contextTokens }: SizedModel): boolean {
  return contextTokens <= MOST_PAID_OUTPUT;
}

function muchOutput(model: SizedModel, max_tokens: number, info: TargetInfo): Draft {
  return chatDraft({ ...someInput(model, info), max_tokens }, { needsOutput: max_tokens });
}

/** As much output, or nearly as much where the tokens are unknown, with room for the smallest input. */
function outputAlone(
  { id, contextTokens }: SizedModel,
  inputTokens: number | undefined,
  info: TargetInfo,
): Draft {
  const max_tokens = contextTokens - (inputTokens === undefined ? ROOM_FOR_INPUT : half(inputTokens));
  return chatDraft({ ...smallestChat(info), model: id, max_tokens }, { needsOutput: max_tokens });
}

/** It takes more tokens than the smallest chat. For the cheapest model other checks send it too. */
function someInput({ id }: SizedModel, { outputTokens }: TargetInfo): ChatBody {
  return everyScriptChat({ model: id, maxTokens: outputTokens });
}

function littleOutput(model: SizedModel, info: TargetInfo): Draft {
  return chatDraft(someInput(model, info));
}

function inputTokensOf(exchange: Exchange, info: TargetInfo): number | undefined {
  if (exchange.outcome.kind !== 'answered') return undefined;
  const tokens = tokensIn(readCompletion(answerOf(exchange), info)?.usage, 'input')?.value;
  // A single token cannot be halved.
  return tokens === undefined || tokens < 2 ? undefined : tokens;
}

const isTooMuch = isTokenLimitError('input and requested output together are larger than the context');

/** So much output may be refused whatever the input. */
const isRefusedTogether: Judgement<TogetherTrial> = (trial, info) => {
  const { counterpart, exchanges } = trial;
  const [together, second] = exchanges;
  // Such a journal was written by an earlier release.
  if (together?.id === counterpart?.id && counterpart && servedInput(0, counterpart, info) !== undefined)
    return notExercised('the usage does not report input tokens');
  const ruling = isTooMuch(trial, info);
  if (ruling.kind === 'violated' && second !== undefined && dispositionOf(second, info) !== 'served')
    return inconclusive('the usage shows more input tokens than the limit counts');
  if (ruling.kind !== 'holds') return ruling;
  if (second === undefined)
    return notExercised(
      'so much output may be refused without the input too: see large-input-and-output-together',
      'with --allow costly it is asked for alone',
    );
  if (dispositionOf(second, info) === 'served') return ruling;
  return notExercised(`so much output is refused without the input too: ${describeAnswer(second, info)}`);
};

const TOGETHER = {
  clauses: ['LIM-1'],
  title: 'refuses an input and a requested output that fit the context separately but not together',
  holds: isRefusedTogether,
} as const;

export const inputAndOutputTogether = check({
  ...TOGETHER,
  id: 'input-and-output-together',
  given: inputPlusOutput('input-plus-output', 'paid'),
});

export const largeInputAndOutputTogether = check({
  ...TOGETHER,
  id: 'large-input-and-output-together',
  title: `${TOGETHER.title}, when every context is large`,
  given: inputPlusOutput('large-input-plus-output', 'costly'),
});
