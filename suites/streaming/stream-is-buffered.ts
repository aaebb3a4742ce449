import { notServed } from '../kit/judging/is-served.ts';
import { check } from '../kit/model/check.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import { type Sender, stimulus, type Trial } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { chatDraft } from '../kit/provoking/chat-drafts.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { isJsonObject } from '../kit/reading/json.ts';
import type { StreamEvent } from '../kit/reading/streams/read-events.ts';
import { isEventStreamType, readStream, type StreamReading } from '../kit/reading/streams/read-stream.ts';

/** A stream that ends sooner shows nothing about its delivery. */
const MIN_DURATION_MS = 60;

/** A buffered text arrives within a smaller share of the time the model takes. */
const BUFFERED_SHARE = 0.1;

const TRICKLING_SHARE = 0.25;

/** A single delay in the network, or in this process. */
const HICCUP_MS = 30;

const OUTPUT_TOKENS = 256;

const MAX_MODELS = 4;

/** A run with small caps has no more completions left where a service accepts all open inputs. */
const MAX_THRIFTY_TASKS = 3;

/** How many long enough streams are collected; the one that looks most buffered is judged. */
const LONG_ENOUGH_STREAMS = 3;

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

/**
 * Streams long enough to show how they are delivered (STR-2): one from each model until one is slow enough, then more
 * from the slowest until three are, or one arrives at once. Sent alone, because time is judged.
 */
export const longStreams = stimulus<Trial, 'each-model'>({
  name: 'long-streams',
  stage: 'paid',
  cappedCount: 1,
  alone: true,
  inputs: () => ({ examples: ['each-model'] }),
  cost: (_, info) => ({
    served: MAX_MODELS + tasksAfterFirst(info).length,
    outputTokens: OUTPUT_TOKENS,
  }),
  send: async (_, sender, info) => {
    const first = await untilSlow(sender, info);
    const slowest = first.toSorted((one, other) => durationOf(other.exchange) - durationOf(one.exchange))[0];
    const exchanges = first.map(({ exchange }) => exchange);
    for (const task of tasksAfterFirst(info)) {
      if (slowest === undefined || exchanges.some(isUnanswered)) break;
      const longEnough = exchanges.filter(isLongEnough);
      // A stream that arrived at once decides the check: more would only cost more.
      if (longEnough.length >= LONG_ENOUGH_STREAMS || longEnough.some(arrivedAtOnce)) break;
      exchanges.push(await sender.send(longStream(slowest.model, task, info)));
    }
    return { exchanges };
  },
});

function tasksAfterFirst({ thrifty }: TargetInfo): readonly string[] {
  return thrifty ? MORE_TASKS.slice(0, MAX_THRIFTY_TASKS) : MORE_TASKS;
}

async function untilSlow(sender: Sender, info: TargetInfo): Promise<{ model: string; exchange: Exchange }[]> {
  const sent = [];
  for (const { id: model } of info.models.slice(0, MAX_MODELS)) {
    const exchange = await sender.send(longStream(model, FIRST_TASK, info));
    sent.push({ model, exchange });
    if (isUnanswered(exchange) || isLongEnough(exchange)) break;
  }
  return sent;
}

function longStream(model: string, task: string, { outputTokens }: TargetInfo) {
  const max_tokens = Math.max(OUTPUT_TOKENS, outputTokens);
  const messages = [{ role: 'user', content: task }];
  return chatDraft({ model, messages, max_tokens, stream: true }, { needsOutput: max_tokens });
}

function durationOf({ outcome }: Exchange): number {
  return outcome.kind === 'answered' ? outcome.answer.endedAt : 0;
}

function isLongEnough(exchange: Exchange): boolean {
  return durationOf(exchange) >= MIN_DURATION_MS;
}

/** Whether the whole body arrived in so small a share of the time that it must have been buffered. */
function arrivedAtOnce({ outcome }: Exchange): boolean {
  if (outcome.kind !== 'answered') return false;
  const { pieces, endedAt } = outcome.answer;
  const [first] = pieces;
  return first !== undefined && endedAt - first.at < BUFFERED_SHARE * endedAt;
}

function isUnanswered({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered';
}

export const streamIsBuffered = check({
  id: 'stream-is-buffered',
  clauses: ['STR-2'],
  title: 'emits no part of a stream before the model has completed',
  given: longStreams,
  holds: ({ exchanges }, info) => {
    const streams = exchanges.flatMap((exchange) => streamWithText(exchange, info) ?? []);
    if (streams.length === 0) {
      return notExercised('no event stream with recognised text was served: see STR-1 and STR-3');
    }
    const longEnough = streams
      // Stryker disable next-line ArrayDeclaration: neither fallback holds anything that is looked for
      .flatMap((stream) => deliveryOf(stream) ?? [])
      .filter(({ duration }) => duration >= MIN_DURATION_MS);
    const [best] = longEnough.toSorted((one, other) => shareOf(one) - shareOf(other));
    if (best === undefined) return inconclusive('every stream ended too soon to judge');
    const ruling = deliveryRuling(best);
    // What trickles through was not buffered by anybody; what arrives at once may have been buffered on its way.
    return ruling.kind === 'holds' && info.bufferedBy !== undefined
      ? bufferedOnItsWay(info.bufferedBy)
      : ruling;
  },
});

function bufferedOnItsWay(by: string): Ruling {
  return inconclusive(
    `${by} may have held the streams back until they were complete: --proxy-tunnel avoids it`,
  );
}

function streamWithText(exchange: Exchange, info: TargetInfo): StreamReading | undefined {
  if (notServed(exchange, info) !== undefined) return undefined;
  const answer = answerOf(exchange);
  if (!isEventStreamType(answer)) return undefined;
  const stream = readStream(answer, info);
  return stream.text === undefined ? undefined : stream;
}

/** Judges the stream that looks most buffered, since a slow network may spread the others. */
function deliveryRuling(delivery: Delivery): Ruling {
  const share = shareOf(delivery);
  const arrival = `the result arrived over ${Math.round(delivery.spread)} of ${Math.round(delivery.duration)} ms`;
  if (share < BUFFERED_SHARE) return HOLDS;
  if (share < TRICKLING_SHARE || delivery.spread < HICCUP_MS) return inconclusive(arrival);
  return violated('trickles', 'the whole text at once, after the model has completed', arrival);
}

/** How the result of one stream arrived, in milliseconds. */
export interface Delivery {
  /** From the request to the last piece of text. */
  readonly duration: number;
  /** From the first piece of the result to the last piece of text. */
  readonly spread: number;
}

/**
 * Undefined when the stream has no text. An event with choices belongs to the result even without text, such as the
 * one with the role; other early events, such as comments, do not.
 */
export function deliveryOf({ events, text }: StreamReading): Delivery | undefined {
  const bearers = text?.textEvents ?? [];
  const [firstBearer] = bearers;
  const first = events.find((event) => event === firstBearer || holdsChoices(event));
  const last = bearers.at(-1);
  // Stryker disable next-line ConditionalExpression: the events that bear the text have a last one, so there is a first piece
  if (first === undefined || last === undefined) return undefined;
  return { duration: last.at, spread: last.at - first.at };
}

/** The share of the duration over which the result arrived: near 0 when it was buffered. */
export function shareOf({ duration, spread }: Delivery): number {
  return duration > 0 ? spread / duration : 0;
}

function holdsChoices({ json }: StreamEvent): boolean {
  return isJsonObject(json) && Array.isArray(json['choices']) && json['choices'].length > 0;
}
