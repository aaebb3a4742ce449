import { type Exchange } from '../model/exchange.ts';
import type { Sender } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { chatDraft, smallestChat } from '../provoking/chat-drafts.ts';
import { answerOf, isQuotaStatus } from '../reading/answers.ts';
import { dispositionOf } from '../reading/errors/disposition.ts';

/** The smallest chat without max_tokens. */
export function unboundedChat(info: TargetInfo): object {
  const { max_tokens: _, ...chat } = smallestChat(info);
  return chat;
}

/** Whether the target accepts a chat; false where it refuses the content; undefined where the answer shows neither. */
export async function isAccepted(
  chat: object,
  info: TargetInfo,
  sender: Sender,
  needsOutput = info.outputTokens,
): Promise<boolean | undefined> {
  return acceptance(await sender.sendCounterpart(chatDraft(chat, { needsOutput })), info);
}

function acceptance(exchange: Exchange, info: TargetInfo): boolean | undefined {
  if (exchange.outcome.kind !== 'answered') return undefined;
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'served') return true;
  return disposition === 'refused' && !isQuotaStatus(answerOf(exchange).status) ? false : undefined;
}

/** Whether the target cannot serve a chat whatever it says: it refuses the content, or fails. */
export async function isUnserved(chat: object, info: TargetInfo, sender: Sender): Promise<boolean> {
  const exchange = await sender.sendCounterpart(chatDraft(chat, { needsOutput: info.outputTokens }));
  if (acceptance(exchange, info) === false) return true;
  return exchange.outcome.kind === 'answered' && dispositionOf(exchange, info) === 'failed';
}
