import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { chatDraft } from '../engine/inputs/provoking/chat-drafts.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { ListedModel, TargetInfo } from '../engine/model/target.ts';
import { wasRefused } from '../engine/reading/errors/disposition.ts';
import { areBuffered, deliveriesIn, type Delivery, isLongEnough } from './delivery.ts';

/** How long a stream is asked for. */
interface Length {
  readonly tokens: number;
  /** The same in words. */
  readonly words: string;
  /** Whether other requests may be in flight meanwhile. */
  readonly isBeside?: true;
}

/** A longer one shows more of a quick model, and depends less on how busy the machine is. */
const LENGTHS: readonly Length[] = [
  { tokens: 256, words: 'a hundred and fifty', isBeside: true },
  { tokens: 256, words: 'two hundred' },
  { tokens: 1024, words: 'eight hundred' },
];

export interface LongTrial extends Trial {
  /** Present: other requests were in flight, and this process may have slept for so many milliseconds at a time. */
  readonly sleptMs?: number;
}

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

/**
 * Streams long enough to show how they are delivered (STR-2). First one beside all other requests: where it arrives at once
 * after a long time, nothing else has to be asked. Otherwise alone, because time is judged: one from each model until one is
 * slow enough, then more from the slowest until three are, or one settles the matter. Where none does, whole answers of
 * the same model show how long it takes to complete. And again with a longer text where that decides nothing.
 */
export const longStreams = stimulus<LongTrial, Length>({
  name: 'long-streams',
  stage: 'paid',
  cappedCount: 1,
  alone: ({ isBeside }) => isBeside !== true,
  untilDecided: true,
  inputs: () => ({ examples: LENGTHS }),
  cost: (length, info) => ({
    reads: QUICK_READS,
    served: length.isBeside === true ? 1 : MAX_MODELS + tasksAfterFirst(info).length + WHOLE_TASKS.length,
    refused: rooms(length, info).length - 1,
  }),
  send: async (length, sender, info) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const exchanges = await quickReads(sender);
    const streams = (): readonly Delivery[] => deliveriesIn(exchanges, info);
    const left = [...rooms(length, info)];
    const ask = async (model: string, task: string, stream: boolean): Promise<Exchange> => {
      const room = left[0] ?? info.outputTokens;
      const messages = [{ role: 'user', content: task.replace('N', length.words) }];
      const chat = { model, messages, max_tokens: room, stream };
      const exchange = await sender.send(chatDraft(chat, { needsOutput: room }));
      exchanges.push(exchange);
      return exchange;
    };
    const models = usableModels(info).slice(0, length.isBeside === true ? 1 : MAX_MODELS);
    const model = await slowestModel(ask, streams, { models, left }, info);
    delay.disable();
    if (length.isBeside === true) return { exchanges, sleptMs: delay.max / 1e6 };
    if (model === undefined) return { exchanges };
    for (const task of tasksAfterFirst(info)) {
      // What settles the matter decides the check: more would only cost more.
      const isEnough = streams().filter(isLongEnough).length >= LONG_ENOUGH_STREAMS || areBuffered(streams());
      if (isEnough || exchanges.some(isUnanswered)) break;
      await ask(model, task, true);
    }
    for (const task of areBuffered(streams()) ? [] : WHOLE_TASKS) {
      if (exchanges.some(isUnanswered)) break;
      await ask(model, task, false);
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

/** Asks one model after the other until one is slow enough; undefined where none is. What is refused is no longer left. */
async function slowestModel(
  ask: (model: string, task: string, stream: boolean) => Promise<Exchange>,
  streams: () => readonly Delivery[],
  { models, left }: { readonly models: readonly ListedModel[]; readonly left: number[] },
  info: TargetInfo,
) {
  let slowest: { readonly model: string; readonly ms: number } | undefined;
  for (const { id: model } of models) {
    let exchange = await ask(model, FIRST_TASK, true);
    for (; left.length > 1 && wasRefused(exchange, info); exchange = await ask(model, FIRST_TASK, true))
      left.shift();
    const ms = wasRefused(exchange, info) ? -1 : durationOf(exchange);
    if (ms > (slowest?.ms ?? -1)) slowest = { model, ms };
    if (isUnanswered(exchange) || streams().some(isLongEnough)) break;
  }
  return streams().some(isLongEnough) ? slowest?.model : undefined;
}

/** From the most tokens to what the target is known to grant. */
function rooms({ tokens }: Length, { outputTokens }: TargetInfo): readonly number[] {
  const fewer = FEWER_TOKENS.filter((each) => each < tokens);
  return [...new Set([tokens, ...fewer, outputTokens].map((each) => Math.max(each, outputTokens)))];
}

function tasksAfterFirst({ thrifty }: TargetInfo): readonly string[] {
  return thrifty ? MORE_TASKS.slice(0, MAX_THRIFTY_TASKS) : MORE_TASKS;
}

function durationOf({ outcome }: Exchange): number {
  return outcome.kind === 'answered' ? outcome.answer.endedAt : 0;
}

function isUnanswered({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered';
}
