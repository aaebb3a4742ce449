import { conversation, coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { rotatingPairs } from '../../fixtures/chats/combinations.ts';
import { refusedUnlikeCounterpart, requireErrorObject } from '../engine/inputs/judging/is-refused.ts';
import {
  chatDraft,
  chatSettings,
  isDraftOf,
  refusedChats,
  smallestChat,
  tooMuchOutput,
} from '../engine/inputs/provoking/chat-drafts.ts';
import { otherModels, unasked, usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { type Requests, requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judged, type Judgement } from '../engine/model/check.ts';
import { type Draft, type Exchange, secondTryOf } from '../engine/model/exchange.ts';
import { inconclusive, type Ruling, shownBy, violated } from '../engine/model/ruling.ts';
import type { ListedModel, TargetInfo } from '../engine/model/target.ts';
import { answerOf, sentChat } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf, wasRefused } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { jsonText, readJson } from '../engine/reading/json.ts';
import type { ItemReading } from '../engine/reading/locate.ts';

/** A model whose context size is known, in tokens. */
export type SizedModel = ListedModel & { readonly contextTokens: number };

/** The models with a known context size, smallest first. */
export function knownContexts(info: TargetInfo): readonly SizedModel[] {
  return usableModels(info)
    .filter((model): model is SizedModel => model.contextTokens !== undefined)
    .toSorted((one, other) => one.contextTokens - other.contextTokens);
}

/** The largest context that is filled without permission: beyond it the input would be expensive if it were accepted. */
export const LARGEST_FILLED = 8192;

/** The models with a known context that is filled without permission, smallest first. */
export function smallContexts(info: TargetInfo): readonly SizedModel[] {
  return knownContexts(info).filter(({ contextTokens }) => contextTokens <= LARGEST_FILLED);
}

/** The way out where context sizes are not known. */
export const NAME_CONTEXT =
  'name the context size in a profile ("models": { "<id>": { "contextTokens": … } })';

/** Why context sizes cannot be tested; undefined when one is known. */
export function missingContextSize(info: TargetInfo): string | undefined {
  if (knownContexts(info).length > 0) return undefined;
  return `no context size is known${unasked(usableModels(info))}: ${NAME_CONTEXT}`;
}

/**
 * Judges a chat that is too large and whose counterpart is not: it is refused with an error object. The code and the
 * message of a token limit error are open (ERR-9), but one that looks like that of another mistake may be just that.
 */
export function isTokenLimitError(why: string): Judgement {
  return (trial, info) => {
    const ruling = requireErrorObject(refusedUnlikeCounterpart(trial, info, why), trial, info);
    return ruling.kind === 'holds' ? (likeAnother(trial, info) ?? ruling) : ruling;
  };
}

/** Sent after the refusal of a chat that is too large: what is refused for plain reasons. */
function plainRefusals(info: TargetInfo): NonNullable<Requests['next']> {
  return { when: (last) => wasRefused(last, info), shared: Object.values(refusedChats(info)) };
}

/** What a message says that tells a caller to reduce the request. */
const OF_A_LIMIT = /token|context|limit|long|large|big|length|size|maxim|exceed|reduce|shorten/i;

/** What parsers say, in the same words of what they stop at as of what is malformed. */
const OF_A_PARSER = /json|parse|syntax|unexpected/i;

/**
 * Parsers that stop at a size take what is too large for malformed; other errors may be plain mistakes. A code that stands
 * for several reasons says nothing of any: then the message decides.
 */
function likeAnother({ exchanges: [refused, ...plainly] }: Judged, info: TargetInfo): Ruling | undefined {
  const error = readError(answerOf(refused), info);
  const [code, message = ''] = [valueOf(error?.code), valueOf(error?.message)];
  if (code === undefined) return undefined;
  const alike = Object.entries(refusedChats(info)).flatMap(([reason, draft]) => {
    const other = plainly.find(({ request }) => isDraftOf(draft, request));
    const plain = other && readError(answerOf(other), info);
    return code === valueOf(plain?.code) ? [{ reason, message: valueOf(plain?.message) }] : [];
  });
  const isMalformeds = alike.some(
    (plain) =>
      plain.reason === 'malformed JSON' && plain.message !== undefined && isAlike(plain.message, message),
  );
  if (isMalformeds && !OF_A_LIMIT.test(message))
    return violated('told-as-malformed', REDUCE, `the code and the message of malformed JSON, ${code}`);
  const isToldApart = OF_A_LIMIT.test(message) && !OF_A_PARSER.test(message);
  const isSaid = isToldApart && !alike.some((plain) => plain.message === message);
  if (alike.length === 0 || (alike.length > 1 && isSaid)) return undefined;
  const reasons = alike.map(({ reason }) => reason).join(' and of ');
  const why = isSaid ? 'which is no limit' : 'and its message names no limit';
  const { model } = sentChat(refused.request) ?? {};
  const others = info.thrifty ? usableModels(info).filter(({ id }) => id !== model) : [];
  return inconclusive(
    `it has the code of ${reasons}, ${code}, ${why}: nothing tells a caller to reduce it${unasked(others)}`,
  );
}

const REDUCE = 'an error that tells a caller to reduce the request';

/** But for places and sizes. */
function isAlike(one: string, other: string): boolean {
  return one.replaceAll(/\d+/g, '0') === other.replaceAll(/\d+/g, '0');
}

function valueOf(item: ItemReading | undefined): string | undefined {
  return typeof item === 'object' ? jsonText(item.value) : undefined;
}

const WORDS = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'jetty'];

/** A text of about so many tokens of four bytes. It repeats nothing, so that no tokenizer makes it much shorter. */
export function longText(tokens: number): string {
  let text = '';
  for (let i = 0; text.length < tokens * 4; i += 1)
    text += `${WORDS[i % WORDS.length] ?? ''} ${(i * 7919) % 9973}, `;
  return `${text}and no more. Answer in one word.`;
}

/** For tokens of four bytes; even with eight bytes a token the text is larger than the context. */
const TIMES_THE_CONTEXT = 3;

/** So many that no message fills the context alone, even with two bytes a token. */
const SHARES = 8;

/** What is too large: all messages together but none alone, the system message, or an earlier message. */
const MESSAGES = {
  together: (tokens: number) => conversation(Array.from({ length: SHARES }, () => longText(tokens / SHARES))),
  system: (tokens: number) => conversation([longText(tokens), 'Hi.']),
  before: (tokens: number) => conversation([longText(tokens), 'Yes.', 'Hi.']),
};

/** Messages that are together larger than the context of a model, however their tokens are counted. */
export function inputBeyond(
  { contextTokens }: SizedModel,
  where: keyof typeof MESSAGES = 'together',
  times = TIMES_THE_CONTEXT,
) {
  return MESSAGES[where](contextTokens * times);
}

/** Of the context, for a second try where a front stopped the first: still too much, with up to six bytes a token. */
const TIMES_BELOW_A_FRONT = 1.5;

/** What is too large, in a chat that may stream: streamed chats often have their own validation. */
type TooLarge = readonly [model: SizedModel, where: keyof typeof MESSAGES, stream?: true];

/** An input larger than a small context, with and without `stream`; the counterpart is the smallest chat. */
const tooLargeInput = requestStimulus<TooLarge>({
  name: 'too-large-input',
  stage: 'paid',
  cappedCount: 2,
  fixedCount: 2,
  skipReason: (info) =>
    missingContextSize(info) ??
    (smallContexts(info).length === 0
      ? `no context of at most ${LARGEST_FILLED} tokens is known${unasked(usableModels(info))}: see growing-input-limited`
      : undefined),
  inputs: (info) => ({
    examples: smallContexts(info)
      .slice(0, 2)
      .flatMap((model): readonly TooLarge[] => [
        [model, 'together'],
        [model, 'system', true],
        [model, 'before'],
        [model, 'together', true],
        [model, 'system'],
        [model, 'before', true],
      ]),
  }),
  requests: ([model, where, stream], info) => {
    const chat = { ...smallestChat(info), model: model.id, ...(stream && { stream }) };
    const refused = (times?: number): Draft =>
      chatDraft({ ...chat, messages: inputBeyond(model, where, times) });
    return {
      counterpart: chatDraft(chat),
      refused: [refused()],
      next: plainRefusals(info),
      again: { when: (first) => isPage(first, info), draft: refused(TIMES_BELOW_A_FRONT) },
    };
  },
});

/** Whether a refusal is that of a front with a limit of its own (RFC 9110, 15.5.14). */
function isPage(exchange: Exchange, info: TargetInfo): boolean {
  if (!wasRefused(exchange, info)) return false;
  const answer = answerOf(exchange);
  return answer.status === 413 && readJson(answer).kind === 'no-json';
}

const isInputTooLarge = isTokenLimitError('the input alone is larger than the context of the model');

/** A front may stop what the service itself refuses as soon as it is a little too large. */
const isInputLimited: Judgement = (trial, info) => {
  const [page, ...others] = trial.exchanges;
  const smaller = others.find(({ id }) => id === secondTryOf(page.id));
  if (smaller === undefined || dispositionOf(smaller, info) === 'served') return isInputTooLarge(trial, info);
  if (!isPage(smaller, info)) return isInputTooLarge({ ...trial, exchanges: [smaller, ...others] }, info);
  const actual = `${describeAnswer(smaller, info)} without a JSON error object, as for a larger input`;
  return shownBy(trial.exchanges.indexOf(smaller), violated('no-error-object', REDUCE, actual));
};

export const inputLimited = check({
  id: 'input-limited',
  clauses: ['ERR-4'],
  title: 'answers an input larger than the context of the model with an error',
  decides: 'refuses too large an input',
  given: tooLargeInput,
  thresholds: {
    'tokens of the largest context that a run fills': LARGEST_FILLED,
    'factor by which the input exceeds the context': TIMES_THE_CONTEXT,
  },
  holds: isInputLimited,
});

/**
 * More than any model generates: one that is 1 when cut to 32 bits, and one that fits in them. The second one is streamed
 * first: a mistake of streams and one of such cuts then show in different chats.
 */
const TOO_MANY_TOKENS = [4_294_967_297, 2_000_000_000];

/** Chats for the cheapest model, and unless every completion counts the smallest chat for each other model. */
function chatsOf(info: TargetInfo): readonly ChatBody[] {
  const chats = coreChats(chatSettings(info));
  return [...chats, ...otherModels(info).map(({ id }) => ({ ...smallestChat(info), model: id }))];
}

/** Chats with a max_tokens that no model can reach; the counterpart has a usual max_tokens. */
const chatsForTooMuchOutput = requestStimulus<readonly [ChatBody, tokens: number]>({
  name: 'too-much-output',
  stage: 'free',
  cappedCount: 2,
  // One without `stream` and one with it, which often has its own validation.
  fixedCount: 2,
  // Each number with each chat, in rotation: the first two chats, of which one streams, get one number each.
  inputs: (info) => ({ examples: rotatingPairs(chatsOf(info), TOO_MANY_TOKENS) }),
  requests: ([chat, tokens], info) => ({
    counterpart: chatDraft(chat),
    refused: [tooMuchOutput(chat, tokens)],
    next: plainRefusals(info),
  }),
});

export const requestedOutputLimited = check({
  id: 'requested-output-limited',
  clauses: ['ERR-4'],
  title: 'answers a request for more output than any model generates with an error',
  decides: 'refuses too much requested output',
  given: chatsForTooMuchOutput,
  holds: isTokenLimitError('no model can generate so many tokens'),
});
