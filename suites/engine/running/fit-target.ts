import { smallestChat, chatDraft } from '../inputs/provoking/chat-drafts.ts';
import type { Sender } from '../model/stimulus.ts';
import type { Readings, TargetInfo } from '../model/target.ts';
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
 * which model can be used, and which max_tokens the target accepts. These chats are counterparts that the run needs anyway.
 */
export async function fitTarget(readings: Readings, sender: Sender): Promise<TargetInfo> {
  const info = await fitModels(readings, sender);
  const outputTokens = await fitOutput(info, sender);
  return outputTokens === info.outputTokens ? info : { ...info, outputTokens };
}

/**
 * Chooses the first reading of the model list, unless its first model cannot be used: then the first of the other readings
 * (MOD-3 does not name the member that holds the ID) and of the next models (whether each listed one can be used is MOD-2,
 * and says nothing about the rest of the specification) whose smallest chat is served, if any.
 */
export async function fitModels([first, ...others]: Readings, sender: Sender): Promise<TargetInfo> {
  if (first.profile.model !== undefined) return first;
  // The target may refuse the bound alone.
  const saidToSmallest = async (info: TargetInfo) => {
    const said = await saidTo(smallestChat(info), info, sender);
    return said === 'refused' || said === 'failed' ? saidTo(unboundedChat(info), info, sender) : said;
  };
  const said = await saidToSmallest(first);
  if (said === 'served' || said === 'unclear') return first;
  for (const other of [...others, ...nextModelsFirst(first)])
    if ((await saidToSmallest(other)) === 'served') return other;
  return first;
}

/** The models in other orders: each of the next ones first, and those before it marked. */
function nextModelsFirst(info: TargetInfo): readonly TargetInfo[] {
  const { models } = info;
  return models.slice(1, MOST_UNUSABLE + 1).map((model, i) => {
    const unusable = models.slice(0, i + 1).map((each) => ({ ...each, unusable: true as const }));
    return { ...info, models: [model, ...unusable, ...models.slice(i + 2)] };
  });
}

/**
 * Chooses the max_tokens of this run's chats: the run's cap, or, where the target refuses it (bounds are open, REQ-8) and
 * accepts the same chat without max_tokens, the first smaller value it accepts. Throws a TargetUnreachable where it
 * accepts only a larger one: only the user, who pays, may raise the cap.
 */
export async function fitOutput(info: TargetInfo, sender: Sender): Promise<number> {
  const { outputTokens } = info;
  const unbounded = unboundedChat(info);
  if ((await saidTo(smallestChat(info), info, sender)) !== 'refused') return outputTokens;
  if ((await saidTo(unbounded, info, sender)) !== 'served') return outputTokens;
  const others = [
    ...SMALLER.filter((each) => each < outputTokens),
    ...LARGER.filter((each) => each > outputTokens),
  ];
  for (const max_tokens of others) {
    if ((await saidTo({ ...unbounded, max_tokens }, info, sender, max_tokens)) !== 'served') continue;
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

/** What the target says to a chat. `unclear`: nothing of the content, such as one for lack of credits, or there is no answer. */
async function saidTo(chat: object, info: TargetInfo, sender: Sender, needsOutput = info.outputTokens) {
  const exchange = await sender.sendCounterpart(chatDraft(chat, { needsOutput }));
  if (exchange.outcome.kind !== 'answered') return 'unclear';
  const disposition = dispositionOf(exchange, info);
  const isOfQuota = disposition === 'refused' && isQuotaStatus(answerOf(exchange).status);
  return disposition === 'unrecognised' || isOfQuota ? 'unclear' : disposition;
}
