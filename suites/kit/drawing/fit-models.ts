import { smallestChat, chatDraft } from '../provoking/chat-drafts.ts';
import { MAX_OTHER_ID_POINTERS } from '../reading/models/model-id.ts';
import type { Sender } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target-info.ts';
import { servedOrRefused } from './fit-output.ts';

/** What it takes at most beyond the chats of fitting the output: two with the ID that was read first, and one with each other. */
export const FITTING_MODELS = { requests: 2 + MAX_OTHER_ID_POINTERS } as const;

/**
 * Which of several readings of the list of models this run goes by. What a record calls the ID of its model is open
 * (MOD-3): where records hold several members that may be it, and the target refuses the smallest chat by the first, it
 * is the first by which that chat is served, and the first of all where none is.
 */
export async function fitModels(
  readings: readonly [TargetInfo, ...TargetInfo[]],
  sender: Sender,
): Promise<TargetInfo> {
  const [first, ...others] = readings;
  if (others.length === 0) return first;
  const isServed = async (chat: object, info: TargetInfo): Promise<boolean | undefined> =>
    servedOrRefused(await sender.sendCounterpart(chatDraft(chat, { needsOutput: info.outputTokens })), info);
  if ((await isServed(smallestChat(first), first)) !== false) return first;
  // With any bound that may be the reason left out, too.
  if ((await isServed(unbounded(first), first)) !== false) return first;
  for (const other of others) if (await isServed(unbounded(other), other)) return other;
  return first;
}

function unbounded(info: TargetInfo): object {
  const { max_tokens: _, ...chat } = smallestChat(info);
  return chat;
}
