import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatBody } from '../../../fixtures/chats/chat.ts';
import type { Draft, Exchange } from '../model/exchange.ts';
import { type Sender, stimulus, type Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { isSuccess } from '../reading/answers.ts';
import { isRateLimited } from '../sending/rate-limiter.ts';
import { chatDraft } from './chat-drafts.ts';

/** The most requests sent, one right after the other. */
const MAX_AT_ONCE = 64;

/** Enough output for requests to overlap. */
const OUTPUT_TOKENS = 64;

const MAX_MODELS = 4;

/** The answer at which the burst ended: the first rate limit error, or else the last answer there was. */
export interface BurstTrial extends Trial {
  /** The most requests in flight. */
  readonly atOnce: number;
  /** Why the burst ended early, when it was not for a rate limit error. */
  readonly stopped?: string;
}

/** Ever more concurrent requests, for the slowest model, until one meets the rate limit. */
export const rateLimitBurst = stimulus<BurstTrial, 'burst'>({
  name: 'rate-limit-burst',
  stage: 'disruptive',
  cappedCount: 1,
  alone: true,
  inputs: () => ({ examples: ['burst'] }),
  cost: () => ({ served: MAX_MODELS + MAX_AT_ONCE, outputTokens: OUTPUT_TOKENS }),
  send: async (_, sender, info) => {
    const draft = longDraft(await slowestModel(sender, info));
    const received: Exchange[] = [];
    const failed: unknown[] = [];
    const sent: Promise<number>[] = [];
    let atOnce = 0;
    while (sent.length < MAX_AT_ONCE && !received.some(endsBurst) && failed.length === 0) {
      // A rejection before all are awaited would end the process.
      const ended = (exchange: Exchange): number => received.push(exchange);
      sent.push(sender.provoke(draft).then(ended, (error: unknown) => failed.push(error)));
      atOnce = Math.max(atOnce, sent.length - received.length);
      // Looks at the answers so far: a refusal ends the burst, and every completion costs credits.
      await nextTurn();
    }
    await Promise.all(sent);
    if (failed.length > 0) throw failed[0];
    return burstTrial(received, atOnce);
  },
});

/** A rate limit error, or no answer: a cap was reached, or the service is overloaded. */
function endsBurst({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered' || isRateLimited(outcome);
}

function burstTrial(received: readonly Exchange[], atOnce: number): BurstTrial {
  const limited = received.find(({ outcome }) => isRateLimited(outcome));
  if (limited !== undefined) return { exchanges: [limited], atOnce };
  const answered = received.filter(({ outcome }) => outcome.kind === 'answered');
  const [stopped] = received.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [] : [outcome.reason]));
  return { exchanges: answered.slice(-1), atOnce, ...(stopped !== undefined && { stopped }) };
}

function longDraft(model: string): Draft {
  const content = 'Count from one to one hundred, in words.';
  const body: ChatBody = { model, messages: [{ role: 'user', content }], max_tokens: OUTPUT_TOKENS };
  return chatDraft(body, { needsOutput: OUTPUT_TOKENS });
}

/** Requests that end immediately never overlap, and meet no limit on concurrency. */
async function slowestModel(sender: Sender, { models }: TargetInfo): Promise<string> {
  let slowest = { id: models[0].id, took: -1 };
  for (const { id } of models.slice(0, MAX_MODELS)) {
    const took = durationOf(await sender.send(longDraft(id)));
    if (took > slowest.took) slowest = { id, took };
  }
  return slowest.id;
}

function durationOf({ outcome }: Exchange): number {
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer)) return -1;
  return outcome.answer.endedAt;
}
