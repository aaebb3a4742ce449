import { refusedUnlikeCounterpart, requireErrorObject } from '../engine/inputs/judging/is-refused.ts';
import { isDraftOf, refusedChats } from '../engine/inputs/provoking/chat-drafts.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import type { Requests } from '../engine/inputs/provoking/request-stimulus.ts';
import type { Judged, Judgement } from '../engine/model/check.ts';
import { inconclusive, type Ruling } from '../engine/model/ruling.ts';
import type { ListedModel, TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { wasRefused } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { jsonText } from '../engine/reading/json.ts';
import type { ItemReading } from '../engine/reading/locate.ts';

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
 * message of a token limit error are open (ERR-9), but one that looks like that of another mistake may be just that.
 */
export function isTokenLimitError(why: string): Judgement {
  return (trial, info) => {
    const ruling = requireErrorObject(refusedUnlikeCounterpart(trial, info, why), trial, info);
    return ruling.kind === 'holds' ? (likeAnother(trial, info) ?? ruling) : ruling;
  };
}

/** Sent after the refusal of a chat that is too large: what is refused for plain reasons. */
export function plainRefusals(info: TargetInfo): NonNullable<Requests['next']> {
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
function likeAnother({ exchanges: [refused, ...others] }: Judged, info: TargetInfo): Ruling | undefined {
  const error = readError(answerOf(refused), info);
  const [code, message = ''] = [valueOf(error?.code), valueOf(error?.message)];
  if (code === undefined) return undefined;
  const alike = Object.entries(refusedChats(info)).flatMap(([reason, draft]) => {
    const other = others.find(({ request }) => isDraftOf(draft, request));
    const plain = other && readError(answerOf(other), info);
    return code === valueOf(plain?.code) ? [{ reason, message: valueOf(plain?.message) }] : [];
  });
  const isToldApart = OF_A_LIMIT.test(message) && !OF_A_PARSER.test(message);
  const isSaid = isToldApart && !alike.some((plain) => plain.message === message);
  if (alike.length === 0 || (alike.length > 1 && isSaid)) return undefined;
  const reasons = alike.map(({ reason }) => reason).join(' and of ');
  const why = isSaid ? 'which is no limit' : 'and its message names no limit';
  return inconclusive(`it has the code of ${reasons}, ${code}, ${why}: nothing tells a caller to reduce it`);
}

function valueOf(item: ItemReading | undefined): string | undefined {
  return typeof item === 'object' ? jsonText(item.value) : undefined;
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
