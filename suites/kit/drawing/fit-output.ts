import { answerOf, isQuotaStatus } from '../reading/answers.ts';
import { chatDraft, smallestChat } from '../provoking/chat-drafts.ts';
import type { Exchange } from '../model/exchange.ts';
import { dispositionOf } from '../reading/errors/disposition.ts';
import type { Sender } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target-info.ts';
import { TargetUnreachable } from '../running/preflight-error.ts';

/** Numbers that a target may serve in place of one that it refuses: the cheaper ones first, the nearest of them foremost. */
const SMALLER = [32, 16, 8, 4, 2, 1];
const LARGER = [32, 64, 128, 256, 512];

/** What fitting sends at most: every number once, and one chat without any. The first that is served ends it. */
export const FITTING = {
  requests: SMALLER.length + LARGER.length + 1,
  completions: 2,
  outputTokens: Math.max(...LARGER),
  open: 1,
} as const;

/**
 * The output tokens that this run's chats ask for: as many as it may ask for, or, where the target refuses so many (bounds
 * are open, REQ-8) and serves the same chat without max_tokens, the first smaller number that it serves. The chats that
 * are tried are counterparts that the run needs anyway. Throws a TargetUnreachable where only more would do: that is for who
 * pays to allow.
 */
export async function fitOutput(info: TargetInfo, sender: Sender): Promise<number> {
  const { outputTokens } = info;
  const { max_tokens: _, ...unbounded } = smallestChat(info);
  const isServed = async (chat: object, needsOutput: number): Promise<boolean | undefined> =>
    servedOrRefused(await sender.sendCounterpart(chatDraft(chat, { needsOutput })), info);
  if ((await isServed(smallestChat(info), outputTokens)) !== false) return outputTokens;
  if ((await isServed(unbounded, outputTokens)) !== true) return outputTokens;
  const others = [
    ...SMALLER.filter((each) => each < outputTokens),
    ...LARGER.filter((each) => each > outputTokens),
  ];
  for (const max_tokens of others) {
    if (!(await isServed({ ...unbounded, max_tokens }, max_tokens))) continue;
    if (max_tokens <= outputTokens) return max_tokens;
    throw new TargetUnreachable(
      `the target refuses a max_tokens of ${outputTokens} and serves ${max_tokens}: allow so many with --max-output-tokens ${max_tokens}`,
    );
  }
  return outputTokens;
}

/** Whether a chat was served, as true, or refused for its own sake; undefined where the answer says neither. */
export function servedOrRefused(exchange: Exchange, info: TargetInfo): boolean | undefined {
  if (exchange.outcome.kind !== 'answered') return undefined;
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'served') return true;
  const isAnothersFault = isQuotaStatus(answerOf(exchange).status);
  return disposition === 'refused' && !isAnothersFault ? false : undefined;
}
