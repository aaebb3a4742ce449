import { chatDraft } from '../kit/provoking/chat-drafts.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { type Sender, stimulus } from '../kit/model/stimulus.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';
import { BUFFERED_SHARE, QUICKEST_TELLING_MS } from './delivery.ts';

const OUTPUT_TOKENS = 256;
const MOST_MODELS = 4;
/** A service that serves whatever is open leaves no more completions in a run with small caps. */
const MOST_THRIFTY_TASKS = 3;
/** Of which the one that looks most buffered is judged. */
const TELLING_STREAMS = 3;
/** Other words each time, so that no answer comes from a cache. */
const FIRST_TASK = 'Count from one to two hundred in words, one number a line.';
const MORE_TASKS = [
  'Tell a story of about two hundred words about a lighthouse.',
  'Explain in about two hundred words how bread is made.',
  'Describe in about two hundred words a walk through an old town.',
  'List fifty things that can be found in a kitchen, one a line.',
  'Write a letter of about two hundred words to a friend who moved away.',
  'Explain in about two hundred words why the sea is salty.',
];

/**
 * Streams long enough to tell how they are delivered (STR-2): one of each model until one takes its time, then
 * more of the slowest until three did or one came at once. Alone, because time is what is judged.
 */
export const longStreams = stimulus<Trial, 'each-model'>({
  name: 'long-streams',
  stage: 'paid',
  few: 1,
  alone: true,
  inputs: () => ({ first: ['each-model'] }),
  cost: (_, survey) => ({
    served: MOST_MODELS + tasksAfterFirst(survey).length,
    outputTokens: OUTPUT_TOKENS,
  }),
  send: async (_, sender, survey) => {
    const first = await untilSlow(sender, survey);
    const slowest = first.toSorted((one, other) => durationOf(other.exchange) - durationOf(one.exchange))[0];
    const exchanges = first.map(({ exchange }) => exchange);
    for (const task of tasksAfterFirst(survey)) {
      if (slowest === undefined || exchanges.some(isUnanswered)) break;
      const telling = exchanges.filter(isTelling);
      // One that came at once settles it: more would only cost more.
      if (telling.length >= TELLING_STREAMS || telling.some(cameAtOnce)) break;
      exchanges.push(await sender.send(longStream(slowest.model, task, survey)));
    }
    return { exchanges };
  },
});

function tasksAfterFirst({ thrifty }: Survey): readonly string[] {
  return thrifty ? MORE_TASKS.slice(0, MOST_THRIFTY_TASKS) : MORE_TASKS;
}

async function untilSlow(sender: Sender, survey: Survey): Promise<{ model: string; exchange: Exchange }[]> {
  const sent = [];
  for (const { id: model } of survey.models.slice(0, MOST_MODELS)) {
    const exchange = await sender.send(longStream(model, FIRST_TASK, survey));
    sent.push({ model, exchange });
    if (isUnanswered(exchange) || isTelling(exchange)) break;
  }
  return sent;
}

function longStream(model: string, task: string, { outputTokens }: Survey) {
  const max_tokens = Math.max(OUTPUT_TOKENS, outputTokens);
  const messages = [{ role: 'user', content: task }];
  return chatDraft({ model, messages, max_tokens, stream: true }, { needsOutput: max_tokens });
}

function durationOf({ outcome }: Exchange): number {
  return outcome.kind === 'answered' ? outcome.answer.endedAt : 0;
}

function isTelling(exchange: Exchange): boolean {
  return durationOf(exchange) >= QUICKEST_TELLING_MS;
}

/** Its whole body arrived in so small a part of the time that whatever is in it was buffered. */
function cameAtOnce({ outcome }: Exchange): boolean {
  if (outcome.kind !== 'answered') return false;
  const { pieces, endedAt } = outcome.answer;
  const [first] = pieces;
  return first !== undefined && endedAt - first.at < BUFFERED_SHARE * endedAt;
}

function isUnanswered({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered';
}
