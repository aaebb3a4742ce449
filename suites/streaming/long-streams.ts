import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { chatDraft } from '../engine/inputs/provoking/chat-drafts.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { wasRefused } from '../engine/reading/errors/disposition.ts';
import { arrivedAtOnce, declaresLength, isLongEnough, quickestOf, showBuffered } from './delivery.ts';

/** How long a stream is asked for. */
interface Length {
  readonly tokens: number;
  /** The same in words. */
  readonly words: string;
}

/** A longer one shows more of a quick model, and depends less on how busy the machine is. */
const LENGTHS: readonly Length[] = [
  { tokens: 256, words: 'two hundred' },
  { tokens: 1024, words: 'eight hundred' },
];

/** Where so many are refused. */
const FEWER_TOKENS = [256, 64];

const MAX_MODELS = 4;

/** A run with small caps has no more completions left where a service accepts all open inputs. */
const MAX_THRIFTY_TASKS = 2;

/** How many long enough streams are collected where none settles the matter. */
const LONG_ENOUGH_STREAMS = 3;

/** How often the shortest answer of the target is timed: what it takes is the network's, not the model's. */
const QUICK_READS = 3;

/** A different task each time, so that no answer comes from a cache. */
const FIRST_TASK = 'Count from one to N in words, one number a line.';

const MORE_TASKS = [
  'Tell a story of about N words about a lighthouse.',
  'Explain in about N words how bread is made.',
  'Describe in about N words a walk through an old town.',
  'List in about N words things that can be found in a kitchen, one a line.',
  'Write a letter of about N words to a friend who moved away.',
  'Explain in about N words why the sea is salty.',
];

/** The same kind of task without `stream`: its answer begins when the model has completed. */
const WHOLE_TASKS = [
  'Explain in about N words how a bicycle stays upright.',
  'Describe in about N words a day at a small railway station.',
];

interface Sent extends Pick<Length, 'words'> {
  readonly model: string;
  /** What it was asked for at most, in tokens. */
  readonly room: number;
  readonly exchange: Exchange;
}

/**
 * Streams long enough to show how they are delivered (STR-2): one from each model until one is slow enough, then more
 * from the slowest until three are, or one settles the matter. Where none does, whole answers of the same model show how
 * long it takes to complete. Sent alone, because time is judged; and again with a longer text where that decides nothing.
 */
export const longStreams = stimulus<Trial, Length>({
  name: 'long-streams',
  stage: 'paid',
  cappedCount: 1,
  alone: true,
  untilDecided: true,
  inputs: () => ({ examples: LENGTHS }),
  cost: (length, info) => ({
    reads: QUICK_READS,
    served: MAX_MODELS + tasksAfterFirst(info).length + WHOLE_TASKS.length,
    refused: rooms(length, info).length - 1,
  }),
  send: async (length, sender, info) => {
    const exchanges = await quickReads(sender);
    const quickest = quickestOf(exchanges).ms;
    const first = await untilSlow(length, sender, info, quickest);
    exchanges.push(...first.map(({ exchange }) => exchange));
    const served = first.filter(({ exchange }) => !wasRefused(exchange, info));
    const slowest = served.toSorted((one, other) => durationOf(other.exchange) - durationOf(one.exchange))[0];
    const all = first.map(({ exchange }) => exchange);
    if (slowest === undefined || !all.some((each) => isLongEnough(each, quickest))) return { exchanges };
    const streams = await moreStreams(slowest, all, sender, info, quickest);
    exchanges.push(...streams);
    if (isSettled([...all, ...streams], quickest)) return { exchanges };
    for (const task of WHOLE_TASKS) {
      if (exchanges.some(isUnanswered)) break;
      exchanges.push(await sender.send(longChat(slowest, task, false)));
    }
    return { exchanges };
  },
});

async function quickReads(sender: Sender): Promise<Exchange[]> {
  const exchanges = [];
  for (let read = 0; read < QUICK_READS; read += 1)
    exchanges.push(await sender.send({ method: 'GET', path: ENDPOINTS.models }));
  return exchanges;
}

async function untilSlow(
  length: Length,
  sender: Sender,
  info: TargetInfo,
  quickest: number,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const left = [...rooms(length, info)];
  for (const { id: model } of usableModels(info).slice(0, MAX_MODELS)) {
    const last = await withRoom({ words: length.words, model }, left, sender, info);
    sent.push(...last);
    if (last.some(({ exchange }) => isUnanswered(exchange) || isLongEnough(exchange, quickest))) break;
  }
  return sent;
}

/** From the most tokens to what the target is known to grant. */
function rooms({ tokens }: Length, { outputTokens }: TargetInfo): readonly number[] {
  const fewer = FEWER_TOKENS.filter((each) => each < tokens);
  return [...new Set([tokens, ...fewer, outputTokens].map((each) => Math.max(each, outputTokens)))];
}

/** Asks for less where so much is refused: `left` loses what was. */
async function withRoom(
  task: Omit<Sent, 'room' | 'exchange'>,
  left: number[],
  sender: Sender,
  info: TargetInfo,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (;;) {
    const [room = info.outputTokens] = left;
    const exchange = await sender.send(longChat({ ...task, room }, FIRST_TASK, true));
    sent.push({ ...task, room, exchange });
    if (left.length <= 1 || !wasRefused(exchange, info)) return sent;
    left.shift();
  }
}

/** Streams of the slowest model, as many as are needed beside the first ones. */
async function moreStreams(
  slowest: Sent,
  first: readonly Exchange[],
  sender: Sender,
  info: TargetInfo,
  quickest: number,
): Promise<readonly Exchange[]> {
  const all = [...first];
  for (const task of tasksAfterFirst(info)) {
    const longEnough = all.filter((each) => isLongEnough(each, quickest));
    // What settles the matter decides the check: more would only cost more.
    const isEnough = longEnough.length >= LONG_ENOUGH_STREAMS || isSettled(all, quickest);
    if (isEnough || all.some(isUnanswered)) break;
    all.push(await sender.send(longChat(slowest, task, true)));
  }
  return all.slice(first.length);
}

function isSettled(streams: readonly Exchange[], quickest: number): boolean {
  const atOnce = streams.filter((each) => isLongEnough(each, quickest) && arrivedAtOnce(each, quickest));
  return streams.some(declaresLength) || showBuffered(atOnce.map((each) => durationOf(each) - quickest));
}

function tasksAfterFirst({ thrifty }: TargetInfo): readonly string[] {
  return thrifty ? MORE_TASKS.slice(0, MAX_THRIFTY_TASKS) : MORE_TASKS;
}

function longChat({ model, room, words }: Omit<Sent, 'exchange'>, task: string, stream: boolean): Draft {
  const messages = [{ role: 'user', content: task.replace('N', words) }];
  return chatDraft({ model, messages, max_tokens: room, stream }, { needsOutput: room });
}

function durationOf({ outcome }: Exchange): number {
  return outcome.kind === 'answered' ? outcome.answer.endedAt : 0;
}

function isUnanswered({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered';
}
