import { smallestChat, chatDraft } from '../inputs/provoking/chat-drafts.ts';
import type { Sender } from '../model/stimulus.ts';
import type { TargetInfo, ListedModel } from '../model/target.ts';
import { answerOf, isQuotaStatus } from '../reading/answers.ts';
import { dispositionOf } from '../reading/errors/disposition.ts';
import { TargetUnreachable } from './first-answer.ts';

/** Values of max_tokens to try where one is refused: the cheaper ones first, nearest first. */
const SMALLER = [32, 16, 8, 4, 2, 1];
const LARGER = [32, 64, 128, 256, 512];

/** How many listed models may turn out to be of no use before the run stays with the first one. */
const MOST_UNUSABLE = 3;

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
  if (others.length === 0 || !(await areBoth(['refused'], first, sender))) return first;
  for (const other of others)
    if ((await said(unboundedChat(other), other, sender)) === 'served') return other;
  return first;
}

/**
 * Puts the first listed model first that can be used: whether each listed one can be is MOD-2, and says nothing about the
 * rest of the specification. The models before it are marked. Stays with the first one where none can be used.
 */
export async function fitUsable(info: TargetInfo, sender: Sender): Promise<TargetInfo> {
  if (info.profile.model !== undefined) return info;
  const unusable: ListedModel[] = [];
  for (const [nth, model] of info.models.slice(0, MOST_UNUSABLE + 1).entries()) {
    if (!(await areBoth(['refused', 'failed'], { ...info, models: [model] }, sender)))
      return nth === 0 ? info : { ...info, models: [model, ...unusable, ...info.models.slice(nth + 1)] };
    unusable.push({ ...model, unusable: true });
  }
  return info;
}

/**
 * Chooses the max_tokens of this run's chats: the run's cap, or, where the target refuses it (bounds are open, REQ-8) and
 * accepts the same chat without max_tokens, the first smaller value it accepts. Throws a TargetUnreachable where it
 * accepts only a larger one: only the user, who pays, may raise the cap.
 */
export async function fitOutput(info: TargetInfo, sender: Sender): Promise<number> {
  const { outputTokens } = info;
  const unbounded = unboundedChat(info);
  if ((await said(smallestChat(info), info, sender)) !== 'refused') return outputTokens;
  if ((await said(unbounded, info, sender)) !== 'served') return outputTokens;
  const others = [
    ...SMALLER.filter((each) => each < outputTokens),
    ...LARGER.filter((each) => each > outputTokens),
  ];
  for (const max_tokens of others) {
    if ((await said({ ...unbounded, max_tokens }, info, sender, max_tokens)) !== 'served') continue;
    if (max_tokens <= outputTokens) return max_tokens;
    throw new TargetUnreachable(
      `the target refuses max_tokens ${outputTokens} and accepts ${max_tokens}: raise the cap with --max-output-tokens ${max_tokens}`,
    );
  }
  return outputTokens;
}

/** The smallest chat without max_tokens. */
function unboundedChat(info: TargetInfo): object {
  const { max_tokens: _, ...chat } = smallestChat(info);
  return chat;
}

/** `unclear`: the answer says nothing of the content, such as one for lack of credits, or there is none. */
type Said = 'served' | 'refused' | 'failed' | 'unclear';

/** Whether the smallest chat is answered so, and without max_tokens too: the target may have refused the bound alone. */
async function areBoth(wanted: readonly Said[], info: TargetInfo, sender: Sender): Promise<boolean> {
  return (
    wanted.includes(await said(smallestChat(info), info, sender)) &&
    wanted.includes(await said(unboundedChat(info), info, sender))
  );
}

/** What the target says to a chat. */
async function said(
  chat: object,
  info: TargetInfo,
  sender: Sender,
  needsOutput = info.outputTokens,
): Promise<Said> {
  const exchange = await sender.sendCounterpart(chatDraft(chat, { needsOutput }));
  if (exchange.outcome.kind !== 'answered') return 'unclear';
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'unrecognised') return 'unclear';
  return disposition === 'refused' && isQuotaStatus(answerOf(exchange).status) ? 'unclear' : disposition;
}
