import type { ChatBody } from '../../../../fixtures/chats/chat.ts';
import type { Draft, Exchange } from '../../model/exchange.ts';
import { type Sender, stimulus, type Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { answerOf, isSuccess } from '../../reading/answers.ts';
import { isRateLimited } from '../../sending/rate-limit-error.ts';
import { chatDraft, smallestChat } from './chat-drafts.ts';
import { usableModels } from './listed-models.ts';

/** How many requests arrive at once: a limit of up to 16 shows within the caps of a small run. */
export const WAVE = 17;

/** The last wave of a run with large caps. */
export const LARGEST_WAVE = 64;

/** Enough output for requests to overlap. */
const OUTPUT_TOKENS = 64;

const MAX_MODELS = 4;

/** The answer at which the burst ended: the first rate limit error, or else a failure, or else the last answer there was. */
export interface BurstTrial extends Trial {
  readonly atOnce: number;
  /** Why fewer arrived than were to, when it was not for a rate limit error. */
  readonly stopped?: string;
}

/**
 * Requests that arrive at the same time, for the slowest model; where caps are large for each model, and then more of
 * them, until one meets the rate limit.
 */
export const rateLimitBurst = stimulus<BurstTrial, 'burst'>({
  name: 'rate-limit-burst',
  stage: 'disruptive',
  cappedCount: 1,
  alone: 'last',
  inputs: () => ({ examples: ['burst'] }),
  cost: (_, info) => ({
    served: info.thrifty ? MAX_MODELS + WAVE : MAX_MODELS * WAVE + LARGEST_WAVE,
    counterparts: probesOf(info).map(({ draft }) => draft),
  }),
  send: async (_, sender, info) => {
    const models = await slowestFirst(sender, info);
    // A model that seems slow may only have met a busy moment, so where it may cost more every model has a wave.
    const waves = [
      ...models.map((model) => [model, WAVE] as const),
      ...models.slice(0, 1).map((model) => [model, LARGEST_WAVE] as const),
    ];
    let trial: BurstTrial = { exchanges: [], atOnce: 0 };
    for (const [model, size] of info.thrifty ? waves.slice(0, 1) : waves) {
      trial = burstTrial(await wave(longDraft(model), size, sender));
      if (trial.stopped !== undefined || trial.exchanges.some(({ outcome }) => isRateLimited(outcome))) break;
    }
    return trial;
  },
});

/** A front may take fewer connections than there are requests: they then start without the others. */
const LONGEST_WAIT_MS = 2000;

/**
 * So many requests that arrive at the same time, however busy this machine or the network is: each holds back its last byte
 * until all others have come as far, or have ended. Fewer where the caps leave room for fewer.
 */
async function wave(draft: Draft, size: number, sender: Sender): Promise<readonly Exchange[]> {
  const start = Promise.withResolvers<void>();
  const awaited = new Set(Array.from({ length: size }, () => ({})));
  let timer: NodeJS.Timeout | undefined;
  const leave = (lane: object): void => {
    awaited.delete(lane);
    if (awaited.size > 0) return;
    clearTimeout(timer);
    start.resolve();
  };
  const sent = [...awaited].map((lane) => {
    const hold = (): Promise<void> => {
      timer ??= setTimeout(start.resolve, LONGEST_WAIT_MS);
      leave(lane);
      return start.promise;
    };
    return sender.provoke({ ...draft, hold }).finally(() => leave(lane));
  });
  return (await Promise.allSettled(sent)).map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

function burstTrial(received: readonly Exchange[]): BurstTrial {
  const atOnce = received.filter(({ outcome }) => outcome.kind !== 'not-sent').length;
  const limited = received.find(({ outcome }) => isRateLimited(outcome));
  if (limited !== undefined) return { exchanges: [limited], atOnce };
  const answered = received.filter(({ outcome }) => outcome.kind === 'answered');
  const [stopped] = received.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [] : [outcome.reason]));
  const last = answered.findLast((each) => answerOf(each).status >= 500) ?? answered.at(-1);
  return { exchanges: last === undefined ? [] : [last], atOnce, ...(stopped !== undefined && { stopped }) };
}

function longDraft(model: string): Draft {
  const content = 'Count from one to one hundred, in words.';
  const body: ChatBody = { model, messages: [{ role: 'user', content }], max_tokens: OUTPUT_TOKENS };
  return chatDraft(body, { needsOutput: OUTPUT_TOKENS });
}

/** The smallest chat for each of the cheapest models. Other checks send it too. */
function probesOf(info: TargetInfo): readonly { readonly model: string; readonly draft: Draft }[] {
  return usableModels(info)
    .slice(0, MAX_MODELS)
    .map(({ id: model }) => ({ model, draft: chatDraft({ ...smallestChat(info), model }) }));
}

/** Requests that end immediately never overlap, and meet no limit on concurrency. */
async function slowestFirst(sender: Sender, info: TargetInfo): Promise<readonly string[]> {
  const took = new Map<string, number>();
  for (const { model, draft } of probesOf(info))
    took.set(model, durationOf(await sender.sendCounterpart(draft)));
  const models = bySlowness(took);
  if (!info.thrifty || models.length === 1) return models;
  // A busy moment may have made any of them seem slow: asks the slowest again, until the others were quicker than one of them.
  const least = new Map<string, number>();
  for (const model of models) {
    const first = took.get(model) ?? 0;
    if ([...least.values()].some((each) => each >= first)) break;
    least.set(model, Math.min(first, durationOf(await sender.send(longDraft(model)))));
  }
  return bySlowness(least);
}

/** By the milliseconds of the quickest answer: a busy moment makes an answer slower, and none quicker. */
function bySlowness(took: ReadonlyMap<string, number>): readonly string[] {
  return [...took].toSorted(([, one], [, other]) => other - one).map(([model]) => model);
}

function durationOf({ outcome }: Exchange): number {
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer)) return -1;
  return outcome.answer.endedAt;
}
