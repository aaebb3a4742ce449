import type { ChatBody } from '../../fixtures/chats/chat.ts';
import {
  counterpartNotAccepted,
  refusedUnlikeCounterpart,
  requireErrorObject,
} from '../engine/inputs/judging/is-refused.ts';
import {
  chatDraft,
  isRefusedChat,
  refusedChats,
  smallestChat,
  tooMuchOutput,
} from '../engine/inputs/provoking/chat-drafts.ts';
import { unasked, usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { check, type Judged, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised, shownBy, violated } from '../engine/model/ruling.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isQuotaStatus } from '../engine/reading/answers.ts';
import { countsIn, readCompletion } from '../engine/reading/completions/read-completion.ts';
import { dispositionOf, wasRefused, wasServed } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import {
  isTokenLimitError,
  knownContexts,
  LARGEST_FILLED,
  longText,
  NAME_CONTEXT,
  smallContexts,
} from './token-limits.ts';

const KIB = 1024;
/** In bytes of text. */
const LARGEST = 4096 * KIB;
const LADDER = [8 * KIB, 64 * KIB, 512 * KIB, LARGEST];
/** Of each token of a context: even with eight bytes a token such a text is larger. */
const BYTES_BEYOND = 12;
/** The refused input is in the end at most so many times the served one. */
const CLOSE = 1.5;
/** Between two rungs of the ladder, or below the first one. */
const MOST_STEPS = 3;
/** On the estimated tokens of the refused input. */
const MARGIN = 1.1;
/** Bytes of these texts in one token, at most, in any tokenizer. */
const MOST_BYTES = 8;
/** How much more tokens count as more, when the text is twice as long or longer. */
const NO_MORE = 1.05;

interface ServedInput {
  /** Of its text; 0 for the smallest chat. */
  readonly bytes: number;
  /** As its usage reports them. */
  readonly tokens?: number;
}

type CountedInput = Required<ServedInput>;

/**
 * `exchanges`: the input at which the ladder ended; where it was refused and a pair could be made, then `max_tokens` with
 * hardly any input, and the same with the largest served input. The counterpart is the smallest chat.
 */
interface GrowingTrial extends Trial {
  /** What was served on the way up, the smallest chat first. */
  readonly served: readonly ServedInput[];
}

/** Inputs that grow up to the first refusal: the limit of a model of unknown size lies between two of them. */
const growingInputs = stimulus<GrowingTrial, 'ladder'>({
  name: 'growing-inputs',
  stage: 'costly',
  cappedCount: 1,
  skipReason: (info) => {
    const small = smallContexts(info);
    if (small.length === 0) return undefined;
    const others = usableModels(info).filter(({ id }) => small.every((each) => each.id !== id));
    return `a context of at most ${LARGEST_FILLED} tokens is known${unasked(others)}: see input-limited and input-and-output-together`;
  },
  inputs: () => ({ examples: ['ladder'] }),
  cost: (_, info) => ({
    // A target that shows no sizes gets no request of the checks that need one, so no plan has to count both.
    ...(isUnsized(info) && { served: LADDER.length + MOST_STEPS + 1 }),
    refused: 1,
    counterparts: [chatDraft(smallestFor(info)), ...Object.values(refusedChats(info))],
  }),
  send: async (_, sender, info) => {
    const counterpart = await sender.sendCounterpart(chatDraft(smallestFor(info)));
    const { served, last, refused } = await climbFrom(counterpart, sender, info);
    const exchanges = [last];
    if (refused !== undefined && isUnsized(info))
      for (const draft of await pairFor(served, refused, sender, info))
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

/** For the model with the smallest known context, or else for the cheapest one. */
function smallestFor(info: TargetInfo): ChatBody {
  const [smallest = info.models[0]] = knownContexts(info);
  return { ...smallestChat(info), model: smallest.id };
}

/** Each text begins in its own way, so that no service counts a part of it as known from another one. */
function chatOf(bytes: number, info: TargetInfo): ChatBody {
  const content = `Text ${bytes}: ${longText(bytes / 4)}`;
  return { ...smallestFor(info), messages: [{ role: 'user', content }] };
}

/** What was served on the way up, and the last exchange; `refused`: its bytes, where it was refused. */
async function climbFrom(smallest: Exchange, sender: Sender, info: TargetInfo) {
  const [known] = knownContexts(info);
  // A context that is known is filled at once.
  const ladder = known === undefined ? LADDER : [Math.min(known.contextTokens * BYTES_BEYOND, LARGEST)];
  const served = [servedInput(0, smallest, info)].filter((input) => input !== undefined);
  let last = smallest;
  for (const bytes of ladder) {
    last = await sender.send(chatDraft(chatOf(bytes, info)));
    if (isRefusedInput(last, info)) return { served, last, refused: bytes };
    const input = servedInput(bytes, last, info);
    if (input === undefined) break;
    served.push(input);
    if (cutInput(served) !== undefined) break;
  }
  return { served, last };
}

/**
 * An output with hardly any input, and the same with an input that is served with little output: together they are more than
 * an input that is refused, and its output. None where the usage does not report tokens, or no input close to the refused
 * one is served.
 */
async function pairFor(served: readonly ServedInput[], refused: number, sender: Sender, info: TargetInfo) {
  let low: ServedInput = served.at(-1) ?? { bytes: 0 };
  let high = refused;
  for (let left = MOST_STEPS; left > 0 && high > low.bytes * CLOSE; left -= 1) {
    const bytes = Math.round(Math.sqrt(Math.max(low.bytes, KIB) * high));
    const exchange = await sender.send(chatDraft(chatOf(bytes, info)));
    const input = servedInput(bytes, exchange, info);
    if (input === undefined && !isRefusedInput(exchange, info)) return [];
    if (input === undefined) high = bytes;
    else low = input;
  }
  const { bytes, tokens = Infinity } = low;
  // So few bytes a token must be possible.
  const isCounted = tokens <= bytes && tokens * MOST_BYTES >= bytes;
  if (high > bytes * CLOSE || !isCounted) return [];
  const more = Math.ceil(tokens * (high / bytes) * MARGIN) - tokens + info.outputTokens;
  return [smallestFor(info), chatOf(bytes, info)].map((chat) => tooMuchOutput(chat, more));
}

/** What a chat with so many bytes of text was served as; undefined where it was not served. */
function servedInput(bytes: number, exchange: Exchange, info: TargetInfo): ServedInput | undefined {
  if (!wasServed(exchange, info)) return undefined;
  const count = countsIn(readCompletion(answerOf(exchange), info)?.usage).input;
  return { bytes, ...(count && { tokens: count.value }) };
}

/** The last two inputs where the larger one has no more tokens, though both have more than the first: it was cut. */
function cutInput(served: readonly ServedInput[]): readonly [CountedInput, CountedInput] | undefined {
  const counted = served.flatMap(({ bytes, tokens }) => (tokens === undefined ? [] : [{ bytes, tokens }]));
  const [least] = counted;
  const [before, cut] = counted.slice(-2);
  if (least === undefined || before === undefined || cut === undefined || before === least) return undefined;
  const isSame = cut.tokens <= before.tokens * NO_MORE && before.tokens <= cut.tokens * NO_MORE;
  return isSame && before.tokens > least.tokens * NO_MORE ? [before, cut] : undefined;
}

/** Whether a chat was refused with an error object, and not for want of credit or for its rate. */
function isRefusedInput(exchange: Exchange, info: TargetInfo): boolean {
  if (!wasRefused(exchange, info)) return false;
  const answer = answerOf(exchange);
  return !isQuotaStatus(answer.status) && readError(answer, info) !== undefined;
}

const isTooLarge = isTokenLimitError('the input is too large');

export const growingInputLimited = check({
  id: 'growing-input-limited',
  clauses: ['ERR-4'],
  title:
    'answers inputs that grow up to 4 MiB with an error once they are too large, if no small context is known',
  decides: 'refuses too large an input',
  given: growingInputs,
  thresholds: {
    'bytes of the largest text': LARGEST,
    'factor by which the token count of a text twice as long must grow': NO_MORE,
  },
  holds: (trial, info) => {
    const [known] = knownContexts(info);
    // A text that is cut at 4 MiB may fit.
    const isBeyond = known !== undefined && known.contextTokens * BYTES_BEYOND <= LARGEST;
    if (isBeyond || dispositionOf(trial.exchanges[0], info) !== 'served') return isTooLarge(trial, info);
    const [before, after] = cutInput(trial.served) ?? [];
    // A limit that was not met is no violation: it may lie higher.
    if (before === undefined || after === undefined)
      return notExercised('an input of 4 MiB was served: if there is a limit, it is higher', NAME_CONTEXT);
    const actual = `${before.tokens} input tokens for ${before.bytes} bytes of text, and ${after.tokens} for ${after.bytes}`;
    const expected = 'an error once the input is too large, or input tokens that grow with it';
    return violated('input-cut', expected, actual);
  },
});

/** A refusal that does not speak of the context may have met another limit, such as that of the body. */
const isRefusedTogether: Judgement<GrowingTrial> = ({ exchanges }, info) => {
  const [last, alone, together] = exchanges.filter(({ request }) => !isRefusedChat(request, info));
  if (!isUnsized(info)) return notExercised('the context size is known: see input-and-output-together');
  if (last === undefined || !isRefusedInput(last, info))
    return notExercised('no input was refused as too large', NAME_CONTEXT);
  if (alone === undefined || together === undefined)
    return notExercised('what was served does not show how many tokens were too many', NAME_CONTEXT);
  if (counterpartNotAccepted(alone, info) !== undefined)
    return notExercised('this much output is refused even without the input', NAME_CONTEXT);
  const trial: Judged = { exchanges: [together], counterpart: alone };
  const why = 'input and requested output together have more tokens than an input that was refused alone';
  const ruling = refusedUnlikeCounterpart(trial, info, why);
  if (ruling.kind !== 'violated') return requireErrorObject(ruling, trial, info);
  const namesContext = /context/i.test(Buffer.from(answerOf(last).body).toString());
  return namesContext
    ? shownBy(2, ruling)
    : inconclusive(`the input may have a limit of its own: ${NAME_CONTEXT}`);
};

export const growingInputAndOutputTogether = check({
  id: 'growing-input-and-output-together',
  clauses: ['LIM-1'],
  title:
    'refuses an input and a requested output that it serves separately, if their sum exceeds an input that it refused',
  given: growingInputs,
  holds: isRefusedTogether,
});
