import type { Sender } from '../model/stimulus.ts';
import type { ListedModel, TargetInfo } from '../model/target.ts';
import { smallestChat } from '../provoking/chat-drafts.ts';
import { isUnserved, unboundedChat } from './smallest-chats.ts';

/** How many listed models may turn out to be of no use before the run stays with the first one. */
export const MOST_UNUSABLE = 3;

/**
 * Puts the first listed model first that can be used: whether each listed one can be is MOD-2, and says nothing about the
 * rest of the specification. The models before it are marked. Stays with the first one where none can be used.
 */
export async function fitUsable(info: TargetInfo, sender: Sender): Promise<TargetInfo> {
  if (info.profile.model !== undefined) return info;
  const unusable: ListedModel[] = [];
  for (const [nth, model] of info.models.slice(0, MOST_UNUSABLE + 1).entries()) {
    const candidate: TargetInfo = { ...info, models: [model] };
    if (!(await isUnusable(candidate, sender)))
      return nth === 0 ? info : { ...info, models: [model, ...unusable, ...info.models.slice(nth + 1)] };
    unusable.push({ ...model, unusable: true });
  }
  return info;
}

/** The target may have refused the bound alone. */
async function isUnusable(info: TargetInfo, sender: Sender): Promise<boolean> {
  if (!(await isUnserved(smallestChat(info), info, sender))) return false;
  return isUnserved(unboundedChat(info), info, sender);
}
