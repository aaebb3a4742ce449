import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Draft, Exchange } from '../kit/model/exchange.ts';
import { type Sender, stimulus, type Trial } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { chatDraft } from '../kit/provoking/chat-drafts.ts';
import { usableModels } from '../kit/provoking/listed-models.ts';
import { wasRefused } from '../kit/reading/errors/disposition.ts';
import { arrivedAtOnce, declaresLength, isLongEnough, quickestOf } from './delivery.ts';

const OUTPUT_TOKENS = 256;

/** Where so many are refused. */
const FEWER_TOKENS = 64;

const MAX_MODELS = 4;

/** A run with small caps has no more completions left where a service accepts all open inputs. */
const MAX_THRIFTY_TASKS = 2;

/** How many long enough streams are collected; the one that looks most buffered is judged. */
const LONG_ENOUGH_STREAMS = 3;

/** How often the shortest answer of the target is timed: what it takes is the network's, not the model's. */
const QUICK_READS = 3;

/** A different task each time, so that no answer comes from a cache. */
const FIRST_TASK = 'Count from one to two hundred in words, one number a line.';

const MORE_TASKS = [
  'Tell a story of about two hundred words about a lighthouse.',
  'Explain in about two hundred words how bread is made.',
  'Describe in about two hundred words a walk through an old town.',
  'List fifty things that can be found in a kitchen, one a line.',
  'Write a letter of about two hundred words to a friend who moved away.',
  'Explain in about two hundred words why the sea is salty.',
];

/** The same kind of task without `stream`: its answer begins when the model has completed. */
const WHOLE_TASKS = [
  'Explain in about two hundred words how a bicycle stays upright.',
  'Describe in about two hundred words a day at a small railway station.',
];

interface Sent {
  readonly model: string;
  /** What it was asked for at most, in tokens. */
  readonly room: number;
  readonly exchange: Exchange;
}

/**
 * Streams long enough to show how they are delivered (STR-2): one from each model until one is slow enough, then more
 * from the slowest until three are, or one settles the matter. Where none does, whole answers of the same model show how
 * long it takes to complete. Sent alone, because time is judged.
 */
export const longStreams = stimulus<Trial, 'each-model'>({
  name: 'long-streams',
  stage: 'paid',
  cappedCount: 1,
  alone: true,
  inputs: () => ({ examples: ['each-model'] }),
  cost: (_, info) => ({
    reads: QUICK_READS,
    served: MAX_MODELS + tasksAfterFirst(info).length + WHOLE_TASKS.length,
    refused: rooms(info).length - 1,
    onceServed: rooms(info).length - 1,
    outputTokens: OUTPUT_TOKENS,
  }),
  send: async (_, sender, info) => {
    const exchanges = await quickReads(sender);
    const quickest = quickestOf(exchanges).ms;
    const first = await untilSlow(sender, info, quickest);
    exchanges.push(...first.map(({ exchange }) => exchange));
    const served = first.filter(({ exchange }) => !wasRefused(exchange, info));
    const slowest = served.toSorted((one, other) => durationOf(other) - durationOf(one))[0];
    if (slowest === undefined) return { exchanges };
    const streams = await moreStreams(slowest, first, sender, info, quickest);
    exchanges.push(...streams);
    const all = [...first.map(({ exchange }) => exchange), ...streams];
    if (all.some((each) => isSettled(each, quickest)) || !all.some((each) => isLongEnough(each, quickest)))
      return { exchanges };
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

async function untilSlow(sender: Sender, info: TargetInfo, quickest: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const left = [...rooms(info)];
  for (const { id: model } of usableModels(info).slice(0, MAX_MODELS)) {
    const last = await withRoom(model, left, sender, info);
    sent.push(...last);
    if (last.some(({ exchange }) => isUnanswered(exchange) || isLongEnough(exchange, quickest))) break;
  }
  return sent;
}

/** From the most tokens to what the target is known to grant. */
function rooms({ outputTokens }: TargetInfo): readonly number[] {
  return [
    ...new Set([OUTPUT_TOKENS, FEWER_TOKENS, outputTokens].map((each) => Math.max(each, outputTokens))),
  ];
}

/** Asks for less where so much is refused: `left` loses what was. */
async function withRoom(model: string, left: number[], sender: Sender, info: TargetInfo): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (;;) {
    const [room = info.outputTokens] = left;
    const exchange = await sender.send(longChat({ model, room }, FIRST_TASK, true));
    sent.push({ model, room, exchange });
    if (left.length <= 1 || !wasRefused(exchange, info)) return sent;
    left.shift();
  }
}

/** Streams of the slowest model, as many as are needed beside the first ones. */
async function moreStreams(
  slowest: Sent,
  first: readonly Sent[],
  sender: Sender,
  info: TargetInfo,
  quickest: number,
): Promise<readonly Exchange[]> {
  const all = first.map(({ exchange }) => exchange);
  for (const task of tasksAfterFirst(info)) {
    const longEnough = all.filter((each) => isLongEnough(each, quickest));
    // A stream that settles the matter decides the check: more would only cost more.
    const isEnough =
      longEnough.length >= LONG_ENOUGH_STREAMS || all.some((each) => isSettled(each, quickest));
    if (isEnough || all.some(isUnanswered)) break;
    all.push(await sender.send(longChat(slowest, task, true)));
  }
  return all.slice(first.length);
}

function isSettled(exchange: Exchange, quickest: number): boolean {
  return declaresLength(exchange) || (isLongEnough(exchange, quickest) && arrivedAtOnce(exchange, quickest));
}

function tasksAfterFirst({ thrifty }: TargetInfo): readonly string[] {
  return thrifty ? MORE_TASKS.slice(0, MAX_THRIFTY_TASKS) : MORE_TASKS;
}

function longChat({ model, room }: Pick<Sent, 'model' | 'room'>, task: string, stream: boolean): Draft {
  const messages = [{ role: 'user', content: task }];
  return chatDraft({ model, messages, max_tokens: room, stream }, { needsOutput: room });
}

function durationOf({ exchange: { outcome } }: Sent): number {
  return outcome.kind === 'answered' ? outcome.answer.endedAt : 0;
}

function isUnanswered({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered';
}
