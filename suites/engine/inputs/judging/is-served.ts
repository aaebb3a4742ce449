import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Exchange } from '../../model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated, notExercised } from '../../model/ruling.ts';
import type { Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import {
  answerOf,
  isQuotaStatus,
  isSuccess,
  isUnavailable,
  endpointOf,
  sentChat,
} from '../../reading/answers.ts';
import { describeAnswer, dispositionOf } from '../../reading/errors/disposition.ts';

/** Judges a request that every faithful service accepts. */
export function isServed(exchange: Exchange, info: TargetInfo): Ruling {
  const received = describeAnswer(exchange, info);
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'served') return HOLDS;
  const { status } = answerOf(exchange);
  if (isQuotaStatus(status)) return inconclusive(`the request met a quota or a rate limit: ${received}`);
  if (isUnavailable(answerOf(exchange)))
    return inconclusive(`the service says that it is unavailable: ${received}`);
  if (status >= 300 && status < 400) return violated('redirected', 'a completion', received);
  if (disposition === 'unrecognised') return inconclusive(`no completion was recognised: ${received}`);
  return violated(disposition, 'a completion', received);
}

/** The ruling on a GET that a faithful service answers, where it did not; undefined when there is an answer to judge. */
export function notAnswered(
  exchange: Exchange,
  info: TargetInfo,
  code: string,
  expected: string,
): Ruling | undefined {
  const received = describeAnswer(exchange, info);
  if (answerOf(exchange).status === 429) return inconclusive(`the request met the rate limit: ${received}`);
  if (isUnavailable(answerOf(exchange)))
    return inconclusive(`the service says that it is unavailable: ${received}`);
  return dispositionOf(exchange, info) === 'served' ? undefined : violated(code, expected, received);
}

/** The ruling on an exchange that cannot hold a completion; undefined when there is a completion to judge. */
export function notServed(exchange: Exchange, info: TargetInfo): Ruling | undefined {
  const answer = answerOf(exchange);
  const { status } = answer;
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'refused') return notExercised(`the request was refused: status ${status}`);
  if (disposition === 'failed') return inconclusive(`the service failed: status ${status}`);
  if (!isSuccess(answer)) return inconclusive(`neither accepted nor refused: status ${status}`);
  return undefined;
}

/** Whether a trial bears on a duty: its first request shows it, whatever came of it. */
type BearsOn = (trial: Trial) => boolean;

/** It sends a chat of this kind. */
export function ofChat(isOfKind: (chat: JsonObject) => boolean): BearsOn {
  return ({ exchanges: [exchange] }) => {
    const chat = exchange && sentChat(exchange.request);
    return chat !== undefined && isOfKind(chat);
  };
}

/** It asks this endpoint. */
export function ofEndpoint(endpoint: ReturnType<typeof endpointOf>): BearsOn {
  return ({ exchanges: [exchange] }) => exchange !== undefined && endpointOf(exchange.request) === endpoint;
}

/** Whether a chat has a character beyond ASCII in its messages. */
export function isBeyondAscii({ messages }: JsonObject): boolean {
  return /[^\0-\u007f]/.test(JSON.stringify(messages ?? null));
}
