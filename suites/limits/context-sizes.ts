import { everyScriptChat } from '../../fixtures/chats/accepted-chats.ts';
import { chatDraft, smallestChat, tooMuchOutput } from '../engine/inputs/provoking/chat-drafts.ts';
import { unasked } from '../engine/inputs/provoking/listed-models.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised } from '../engine/model/ruling.ts';
import { type Sender, type Stimulus, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, hasSucceeded } from '../engine/reading/answers.ts';
import { countsIn, readCompletion } from '../engine/reading/completions/read-completion.ts';
import {
  describeAnswer,
  dispositionOf,
  wasRefused,
  wasServed,
} from '../engine/reading/errors/disposition.ts';
import {
  inputBeyond,
  isTokenLimitError,
  knownContexts,
  LARGEST_FILLED,
  longText,
  missingContextSize,
  NAME_CONTEXT,
  type SizedModel,
} from './token-limits.ts';

/** Without permission (`paid`), or where it may grant more output than is asked for without (`costly`). */
type Priced = 'paid' | 'costly';

/** The most output that a service is asked for without permission where it may grant it. */
const MOST_PAID_OUTPUT = 4096;

/** Room for the smallest input in the larger context, however it is counted. */
const ROOM_IN_LARGER = 256;

/**
 * In tokens of four bytes: even with eight bytes a token twice one context is beyond it, and with two bytes a token that is
 * four times the context, which fits the other.
 */
const TIMES = 2;
const MOST_TIMES = 4;

/** What is between two contexts; `input`: where more output than the service grants would be. */
interface Between {
  readonly smaller: SizedModel;
  readonly larger: SizedModel;
  readonly by: 'output' | 'input';
}

/**
 * The same chat to two models, with a max_tokens between the sizes of their contexts, or else an input: the counterpart is
 * for the model with the larger one. Where both are served, the largest model is asked for more than it has room for:
 * where that is accepted too, no limit is held at all.
 */
function chatBetweenContexts(name: string, stage: Priced): Stimulus {
  return requestStimulus({
    name,
    stage,
    cappedCount: 1,
    untilDecided: true,
    skipReason: (info) => {
      const [pair] = twoModels(info);
      if (pair === undefined)
        return `no two models are known to have different context sizes${unasked(info.models)}: ${NAME_CONTEXT}`;
      if (isSmall(pair.smaller) === (stage === 'paid')) return undefined;
      return stage === 'costly'
        ? 'the contexts are small: see context-differs-by-model'
        : `it takes ${pair.smaller.contextTokens} output tokens: see large-context-differs-by-model`;
    },
    inputs: (info) => ({ examples: twoModels(info) }),
    requests: ({ smaller, larger, by }, info) => {
      if (by === 'input') {
        const messages = inputBeyond(smaller, 'together', TIMES);
        const chatTo = ({ id }: SizedModel): Draft =>
          chatDraft({ ...smallestChat(info), model: id, messages });
        return { counterpart: chatTo(larger), refused: [chatTo(smaller)] };
      }
      const beyond = ({ contextTokens }: SizedModel, { id }: SizedModel): Draft =>
        tooMuchOutput({ ...smallestChat(info), model: id }, contextTokens + 1);
      const largest = knownContexts(info).at(-1) ?? larger;
      return {
        counterpart: beyond(smaller, larger),
        refused: [beyond(smaller, smaller)],
        next: { when: hasSucceeded, refused: [beyond(largest, largest)] },
      };
    },
  });
}

/** The model with the smallest context and one with a larger one; none where no two differ. */
function twoModels(info: TargetInfo): readonly Between[] {
  const [smaller, ...others] = knownContexts(info);
  if (smaller === undefined) return [];
  const pairs = (least: number, by: Between['by']): readonly Between[] =>
    others
      .filter(({ contextTokens }) => contextTokens > least + ROOM_IN_LARGER)
      .filter(({ maxOutputTokens = Infinity }) => by === 'input' || maxOutputTokens > least)
      .map((larger) => ({ smaller, larger, by }))
      .slice(0, 1);
  return [...pairs(smaller.contextTokens, 'output'), ...pairs(smaller.contextTokens * MOST_TIMES, 'input')];
}

const isOverOwnLimit = isTokenLimitError('the chat takes more than the context of the model');

const isHeldToOwnLimit: Judgement = (trial, info) => {
  const ruling = isOverOwnLimit(trial, info);
  const [, beyond] = trial.exchanges;
  return ruling.kind === 'violated' && beyond !== undefined && dispositionOf(beyond, info) === 'served'
    ? notExercised('no context limits a requested output: see ERR-4')
    : ruling;
};

const DIFFERS = {
  clauses: ['LIM-2'],
  title: 'limits a model to its own context size, even if another model has a larger one',
  because:
    'limits can differ per model; where the target or the profile says that they do, each model has its own',
  holds: isHeldToOwnLimit,
} as const;

export const contextDiffersByModel = check({
  ...DIFFERS,
  id: 'context-differs-by-model',
  thresholds: { 'output tokens that a chat may request': MOST_PAID_OUTPUT },
  given: chatBetweenContexts('between-contexts', 'paid'),
});

export const largeContextDiffersByModel = check({
  ...DIFFERS,
  id: 'large-context-differs-by-model',
  title: `${DIFFERS.title}, when both are large`,
  given: chatBetweenContexts('between-large-contexts', 'costly'),
});

/** What the smallest chat takes at most, where the tokens are unknown. */
const ROOM_FOR_INPUT = 64;

/** What of a context is asked for as output beside a grown input, if a service grants no output that fills a context. */
const SHARE_OF_OUTPUT = 1 / 4;
const MOST_OUTPUT_BESIDE_INPUT = 1024;

/** `input`: where more output than the service grants fills the context. */
type Filled = readonly [model: SizedModel, by: Between['by']];

/**
 * The same input twice: with little output (the counterpart, whose usage may show the input tokens), and with so much
 * output that either fits the smallest known context, but not both together. Where the tokens are unknown, the output
 * fills the context: beside it any input is too much, however it is counted. Where that is refused, the second exchange
 * asks for as much output without the input. Where it is served, it asks for a token less than the context: the usage may
 * have said too much of the input.
 */
function inputPlusOutput(name: string, stage: Priced): Stimulus {
  return stimulus<Trial, Filled>({
    name,
    stage,
    cappedCount: 1,
    untilDecided: true,
    skipReason: (info) => {
      const [smallest] = knownContexts(info);
      if (smallest === undefined || stage === 'paid' || !isSmall(smallest)) return missingContextSize(info);
      return 'a context is small: see input-and-output-together';
    },
    inputs: (info) => ({
      examples: knownContexts(info)
        .slice(0, 1)
        .flatMap((model): readonly Filled[] => {
          const isGrown = stage === 'costly' || model.contextTokens <= LARGEST_FILLED;
          return [[model, 'output'], ...(isGrown ? [[model, 'input'] as const] : [])];
        }),
    }),
    cost: ([model, by], info) =>
      by === 'input'
        ? { served: 3, refused: 1, counterparts: [chatDraft({ ...smallestChat(info), model: model.id })] }
        : {
            served: isSmall(model) || stage === 'costly' ? 1 : 0,
            refused: 2,
            counterparts: [chatDraft(someInput(model, info))],
          },
    send: ([model, by], sender, info) =>
      by === 'input' ? grownInput(model, sender, info) : largestOutput(stage, model, sender, info),
  });
}

async function largestOutput(stage: Priced, model: SizedModel, sender: Sender, info: TargetInfo) {
  const { id, contextTokens } = model;
  const input = someInput(model, info);
  const counterpart = await sender.sendCounterpart(chatDraft(input));
  if (!wasServed(counterpart, info)) return { exchanges: [counterpart], counterpart };
  const inputTokens = inputTokensOf(counterpart, info);
  const half = Math.floor((inputTokens ?? 0) / 2);
  const together = await sender.send(tooMuchOutput(input, contextTokens - half));
  let next: Draft | undefined;
  if (wasRefused(together, info)) {
    // As much output, or nearly as much where the tokens are unknown, with room for the smallest input.
    const alone = contextTokens - (inputTokens === undefined ? ROOM_FOR_INPUT : half);
    if (stage === 'costly' || isSmall(model))
      next = tooMuchOutput({ ...smallestChat(info), model: id }, alone);
  } else if (inputTokens !== undefined) next = tooMuchOutput(input, contextTokens - 1);
  return { exchanges: [together, ...(next ? [await sender.send(next)] : [])], counterpart };
}

/**
 * An input that leaves little room in the context, with little output (the counterpart), and with twice as much output as
 * there is room for; then as much output without the input. What half as long a text adds to the usage of the smallest chat
 * shows how many tokens a byte has, whatever the usage counts besides.
 */
async function grownInput(model: SizedModel, sender: Sender, info: TargetInfo): Promise<Trial> {
  const { id, contextTokens, maxOutputTokens = Infinity } = model;
  const smallest = { ...smallestChat(info), model: id };
  const chatOf = (text: string) => ({ ...smallest, messages: [{ role: 'user', content: text }] });
  const text = longText(contextTokens / 2);
  const half = await sender.send(chatDraft(chatOf(text)));
  const [least, tokens] = [await sender.sendCounterpart(chatDraft(smallest)), half].map((exchange) =>
    wasServed(exchange, info) ? inputTokensOf(exchange, info) : undefined,
  );
  const most = Math.min(MOST_OUTPUT_BESIDE_INPUT, maxOutputTokens);
  const output = Math.min(most, Math.floor(contextTokens * SHARE_OF_OUTPUT));
  const grown = ((contextTokens - output / 2) / ((tokens ?? 0) - (least ?? 0))) * (contextTokens / 2);
  // So few bytes a token must be possible.
  if (tokens === undefined || grown < contextTokens / 4 || grown > contextTokens * 2)
    return { exchanges: [half], counterpart: half };
  const full = chatOf(longText(grown));
  const counterpart = await sender.send(chatDraft(full));
  if (!wasServed(counterpart, info)) return { exchanges: [counterpart], counterpart };
  const together = await sender.send(tooMuchOutput(full, output));
  const alone = await sender.send(tooMuchOutput(smallest, output));
  return { exchanges: [together, alone], counterpart };
}

function isSmall({ contextTokens }: SizedModel): boolean {
  return contextTokens <= MOST_PAID_OUTPUT;
}

/** It takes more tokens than the smallest chat. For the cheapest model other checks send it too. */
function someInput({ id }: SizedModel, { outputTokens }: TargetInfo): object {
  return everyScriptChat({ model: id, maxTokens: outputTokens });
}

function inputTokensOf(exchange: Exchange, info: TargetInfo): number | undefined {
  const tokens = countsIn(readCompletion(answerOf(exchange), info)?.usage).input?.value ?? 0;
  // A single token cannot be halved.
  return tokens < 2 ? undefined : tokens;
}

const isTooMuch = isTokenLimitError('input and requested output together are larger than the context');

/** So much output may be refused whatever the input. */
const isRefusedTogether: Judgement = (trial, info) => {
  const { counterpart, exchanges } = trial;
  const [together, second] = exchanges;
  // Such a journal was written by an earlier release.
  if (together.id === counterpart?.id) return notExercised('the usage does not report input tokens');
  const ruling = isTooMuch(trial, info);
  const isSecondServed = second !== undefined && dispositionOf(second, info) === 'served';
  if (ruling.kind === 'violated' && second !== undefined && !isSecondServed)
    return inconclusive('the usage shows more input tokens than the limit counts');
  const [first = Infinity, later = 0] = [counterpart, second].map(
    (each) => each && inputTokensOf(each, info),
  );
  if (later > first) return inconclusive('the usage counts more than the input, like a running total');
  if (ruling.kind !== 'holds' || isSecondServed) return ruling;
  if (second === undefined)
    return notExercised(
      'this much output may be refused even without the input: see large-input-and-output-together',
      '--allow costly requests it alone',
    );
  return notExercised(`this much output is refused even without the input: ${describeAnswer(second, info)}`);
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
