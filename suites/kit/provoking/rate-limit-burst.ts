import type { ChatBody } from '../../../fixtures/chat.ts';
import { chatDraft } from './chat-draft.ts';
import type { Draft } from '../draft.ts';
import type { Exchange } from '../exchange.ts';
import { isRateLimited } from '../sending/rate-limited.ts';
import { type Sender, stimulus } from '../stimulus.ts';
import type { Survey } from '../survey.ts';
import type { Trial } from '../trial.ts';

/** How many requests at a time, one burst after the other. */
const BURSTS = [16, 32, 64];

/** Enough output for requests to overlap. */
const OUTPUT_TOKENS = 64;

const MOST_MODELS = 6;

/** The answer at which the bursts ended: the first rate limit error, or else the last answer there was. */
export interface BurstTrial extends Trial {
  /** How many requests at a time there were in the last burst. */
  readonly atOnce: number;
  /** Why no larger burst followed, when it was not for a rate limit error. */
  readonly stopped?: string;
}

/** Requests at once, more and more of them, for the model that takes longest, until one meets the rate limit. */
export const rateLimitBurst = stimulus<BurstTrial, 'burst'>({
  name: 'rate-limit-burst',
  stage: 'disruptive',
  few: 1,
  alone: true,
  inputs: () => ({ first: ['burst'] }),
  send: async (_, sender, survey) => {
    const draft = longDraft(await slowestModel(sender, survey));
    let trial: BurstTrial = { exchanges: [], atOnce: 0 };
    for (const atOnce of BURSTS) {
      trial = burstTrial(await Promise.all(Array.from({ length: atOnce }, () => sender.provoke(draft))));
      if (trial.stopped !== undefined || trial.exchanges.some(({ outcome }) => isRateLimited(outcome))) break;
    }
    return trial;
  },
});

/** An exchange without an answer ends the bursts: a cap was reached, or the service cannot bear any more. */
function burstTrial(burst: readonly Exchange[]): BurstTrial {
  const limited = burst.find(({ outcome }) => isRateLimited(outcome));
  if (limited !== undefined) return { exchanges: [limited], atOnce: burst.length };
  const answered = burst.filter(({ outcome }) => outcome.kind === 'answered');
  const [stopped] = burst.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [] : [outcome.reason]));
  return { exchanges: answered.slice(-1), atOnce: burst.length, ...(stopped !== undefined && { stopped }) };
}

function longDraft(model: string): Draft {
  const content = 'Count from one to one hundred, in words.';
  const body: ChatBody = { model, messages: [{ role: 'user', content }], max_tokens: OUTPUT_TOKENS };
  return chatDraft(body, { needsOutput: OUTPUT_TOKENS });
}

/** Requests that end at once never overlap, so that a limit on concurrency would not be met. */
async function slowestModel(sender: Sender, { models }: Survey): Promise<string> {
  let slowest = { id: models[0].id, took: -1 };
  for (const { id } of models.slice(0, MOST_MODELS)) {
    const took = durationOf(await sender.send(longDraft(id)));
    if (took > slowest.took) slowest = { id, took };
  }
  return slowest.id;
}

function durationOf({ outcome }: Exchange): number {
  if (outcome.kind !== 'answered' || outcome.answer.status >= 300) return -1;
  return outcome.answer.endedAt;
}
