import type { Sender } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { smallestChat } from '../provoking/chat-drafts.ts';
import { MAX_OTHER_ID_POINTERS } from '../reading/models/model-id.ts';
import { TargetUnreachable } from './discover-target.ts';
import { fitUsable, MOST_UNUSABLE } from './fit-usable.ts';
import { isAccepted, unboundedChat } from './smallest-chats.ts';

/** Values of max_tokens to try where one is refused: the cheaper ones first, nearest first. */
const SMALLER = [32, 16, 8, 4, 2, 1];
const LARGER = [32, 64, 128, 256, 512];

/**
 * What fitting sends at most. For the models: two chats with the first ID, one with each other, and two with each model that
 * cannot be used. For the output: each
 * value of max_tokens once, and one chat without it. The first accepted chat ends each search.
 */
export const FITTING = {
  requests: 2 + MAX_OTHER_ID_POINTERS + 2 * MOST_UNUSABLE + SMALLER.length + LARGER.length + 1,
  // A model that fails may have charged for it.
  completions: 2 + 2 * MOST_UNUSABLE,
  outputTokens: Math.max(...LARGER),
  open: 1 + MOST_UNUSABLE,
} as const;

/**
 * Settles what the models endpoint leaves open by sending the smallest chat: which member of a record is the model's ID,
 * and which max_tokens the target accepts. These chats are counterparts that the run needs anyway.
 */
export async function fitTarget(
  readings: readonly [TargetInfo, ...TargetInfo[]],
  sender: Sender,
): Promise<TargetInfo> {
  const info = await fitUsable(await fitModels(readings, sender), sender);
  return { ...info, outputTokens: await fitOutput(info, sender) };
}

/**
 * Chooses between several readings of the model list: the specification does not name the member that holds the ID
 * (MOD-3). The first reading whose smallest chat is accepted wins; the first of all where none is.
 */
export async function fitModels(
  readings: readonly [TargetInfo, ...TargetInfo[]],
  sender: Sender,
): Promise<TargetInfo> {
  const [first, ...others] = readings;
  if (others.length === 0) return first;
  if ((await isAccepted(smallestChat(first), first, sender)) !== false) return first;
  // The target may have refused the bound.
  if ((await isAccepted(unboundedChat(first), first, sender)) !== false) return first;
  for (const other of others) if (await isAccepted(unboundedChat(other), other, sender)) return other;
  return first;
}

/**
 * Chooses the max_tokens of this run's chats: the run's cap, or, where the target refuses it (bounds are open, REQ-8) and
 * accepts the same chat without max_tokens, the first smaller value it accepts. Throws a TargetUnreachable where it
 * accepts only a larger one: only the user, who pays, may raise the cap.
 */
export async function fitOutput(info: TargetInfo, sender: Sender): Promise<number> {
  const { outputTokens } = info;
  const unbounded = unboundedChat(info);
  if ((await isAccepted(smallestChat(info), info, sender)) !== false) return outputTokens;
  if ((await isAccepted(unbounded, info, sender)) !== true) return outputTokens;
  const others = [
    ...SMALLER.filter((each) => each < outputTokens),
    ...LARGER.filter((each) => each > outputTokens),
  ];
  for (const max_tokens of others) {
    if (!(await isAccepted({ ...unbounded, max_tokens }, info, sender, max_tokens))) continue;
    if (max_tokens <= outputTokens) return max_tokens;
    throw new TargetUnreachable(
      `the target refuses max_tokens ${outputTokens} and accepts ${max_tokens}: raise the cap with --max-output-tokens ${max_tokens}`,
    );
  }
  return outputTokens;
}
