import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { chatDraft, refusedChats, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { wasRefused } from '../engine/reading/errors/disposition.ts';
import {
  type CountedInput,
  cutInput,
  isRefusedInput,
  isWholeCount,
  type ServedInput,
  servedInput,
} from './served-inputs.ts';
import { knownContexts, LARGEST_FILLED, longText, smallContexts } from './token-limits.ts';

const KIB = 1024;
/** Bytes of text. */
const LARGEST = 4096 * KIB;
const LADDER = [8 * KIB, 64 * KIB, 512 * KIB, LARGEST];
/** Of each token of a context: even with eight bytes a token such a text is larger. */
const BYTES_BEYOND = 12;
/** The refused input is in the end at most so many times the served one. */
const CLOSE = 1.5;
/** Between two rungs of the ladder, or below the first one. */
const MOST_STEPS = 3;
/** Bytes: no step goes below. */
const LEAST = KIB;
/** On the estimated tokens of the refused input. */
const MARGIN = 1.1;

/**
 * `exchanges`: the input at which the ladder ended; where it was refused and a pair could be made, then `max_tokens` with
 * hardly any input, and the same with the largest served input. The counterpart is the smallest chat.
 */
export interface GrowingTrial extends Trial {
  /** What was served on the way up, the smallest chat first. */
  readonly served: readonly ServedInput[];
}

/** Inputs that grow up to the first refusal: the limit of a model of unknown size lies between two of them. */
export const growingInputs = stimulus<GrowingTrial, 'ladder'>({
  name: 'growing-inputs',
  stage: 'costly',
  cappedCount: 1,
  skipReason: (info) =>
    smallContexts(info).length > 0
      ? `a context of at most ${LARGEST_FILLED} tokens is known: see input-limited and input-and-output-together`
      : undefined,
  inputs: () => ({ examples: ['ladder'] }),
  cost: (_, info) => ({
    // A target that shows no sizes gets no request of the checks that need one, so no plan has to count both.
    ...(isUnsized(info) ? { served: LADDER.length + MOST_STEPS + 1, refused: 1 } : { refused: 1 }),
    counterparts: [chatDraft(smallestFor(info)), ...Object.values(refusedChats(info))],
  }),
  send: async (_, sender, info) => {
    const counterpart = await sender.sendCounterpart(chatDraft(smallestFor(info)));
    const { served, last, refused } = await climbFrom(counterpart, sender, info);
    const isPaired = refused !== undefined && isUnsized(info);
    const pair = isPaired ? await pairFor(served, refused, sender, info) : undefined;
    const exchanges = [last];
    for (const draft of pair === undefined ? [] : draftsOf(pair, info))
      exchanges.push(await sender.send(draft));
    if (wasRefused(last, info))
      for (const draft of Object.values(refusedChats(info)))
        exchanges.push(await sender.sendCounterpart(draft));
    return { exchanges, counterpart, served };
  },
});

function isUnsized(info: TargetInfo): boolean {
  return knownContexts(info).length === 0;
}

/** A context that is known is filled at once. */
function ladderFor(info: TargetInfo): readonly number[] {
  const [smallest] = knownContexts(info);
  return smallest === undefined ? LADDER : [Math.min(smallest.contextTokens * BYTES_BEYOND, LARGEST)];
}

/** For the model with the smallest known context, or else for the cheapest one. */
function smallestFor(info: TargetInfo): ChatBody {
  const [smallest = info.models[0]] = knownContexts(info);
  return { ...smallestChat(info), model: smallest.id };
}

interface Climb {
  readonly served: readonly ServedInput[];
  readonly last: Exchange;
  /** Bytes of the last one, where it was refused. */
  readonly refused?: number;
}

async function climbFrom(smallest: Exchange, sender: Sender, info: TargetInfo): Promise<Climb> {
  const served = [servedInput(0, smallest, info)].filter((input) => input !== undefined);
  let last = smallest;
  for (const bytes of ladderFor(info)) {
    last = await sender.send(chatDraft(chatOf(bytes, info)));
    if (isRefusedInput(last, info)) return { served, last, refused: bytes };
    const input = servedInput(bytes, last, info);
    if (input === undefined) break;
    served.push(input);
    if (cutInput(served) !== undefined) break;
  }
  return { served, last };
}

/** An input that is served with little output, and more output than there is room for beside it. */
interface Pair {
  readonly bytes: number;
  readonly maxTokens: number;
}

/** Undefined where the usage does not report tokens, or no input close to the refused one is served. */
async function pairFor(
  served: readonly ServedInput[],
  refused: number,
  sender: Sender,
  info: TargetInfo,
): Promise<Pair | undefined> {
  let low: ServedInput = served.at(-1) ?? { bytes: 0 };
  let high = refused;
  for (let left = MOST_STEPS; left > 0 && high > low.bytes * CLOSE; left -= 1) {
    const bytes = Math.round(Math.sqrt(Math.max(low.bytes, LEAST) * high));
    const exchange = await sender.send(chatDraft(chatOf(bytes, info)));
    const input = servedInput(bytes, exchange, info);
    if (input === undefined && !isRefusedInput(exchange, info)) return undefined;
    if (input === undefined) high = bytes;
    else low = input;
  }
  return high > low.bytes * CLOSE || !isCounted(low) ? undefined : pairOf(low, high, info);
}

function isCounted(input: ServedInput): input is CountedInput {
  return input.tokens !== undefined && isWholeCount({ bytes: input.bytes, tokens: input.tokens });
}

/** The served input and `maxTokens` are together more than the refused input, and its output. */
function pairOf({ bytes, tokens }: CountedInput, refused: number, { outputTokens }: TargetInfo): Pair {
  const ofRefused = Math.ceil(tokens * (refused / bytes) * MARGIN);
  return { bytes, maxTokens: ofRefused - tokens + outputTokens };
}

function draftsOf({ bytes, maxTokens }: Pair, info: TargetInfo): readonly Draft[] {
  return [smallestFor(info), chatOf(bytes, info)].map((chat) =>
    chatDraft({ ...chat, max_tokens: maxTokens }, { needsOutput: maxTokens }),
  );
}

/** Each text begins in its own way, so that no service counts a part of it as known from another one. */
function chatOf(bytes: number, info: TargetInfo): ChatBody {
  const content = `Text ${bytes}: ${longText(bytes / 4)}`;
  return { ...smallestFor(info), messages: [{ role: 'user', content }] };
}
