import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { findUsage, type UsageReading } from '../completions/find-usage.ts';
import { readCompletion } from '../completions/read-completion.ts';
import { isJsonObject } from '../json.ts';
import { findPinned, type ItemReading, locate, type Point } from '../locate.ts';
import { FINISH_REASON, USAGE } from '../points.ts';
import { type EventsReading, readEvents, type StreamEvent } from '../read-events.ts';
import { CHUNK_TEXT, findStreamText, type StreamText, WHOLE_TEXT } from './stream-text.ts';

/** A streamed chat completion. */
export interface StreamReading extends EventsReading {
  /** `chunks` of text, or a `whole` response in one event. */
  readonly framing: 'chunks' | 'whole' | 'unknown';
  /** Undefined when no text was recognised. */
  readonly text: StreamText | undefined;
  /** The data of the last event, if that is not JSON. */
  readonly terminator: string | undefined;
  readonly finishReason: ItemReading;
  readonly usage: UsageReading;
}

/** Where a response has them is looked at next: events often are made of the same objects. */
const STREAM_FINISH: Point = { ...FINISH_REASON, pins: ['stream.finish_reason', 'response.finish_reason'] };
const STREAM_USAGE: Point = { ...USAGE, pins: ['stream.usage', 'response.usage'] };

/** Reads a body as a streamed completion, under any framing. Read once per answer; never throws. */
export const readStream: (answer: Answer, info: TargetInfo) => StreamReading = readOnce(
  (answer, { profile }) => {
    const reading = readEvents(answer);
    const last = reading.events.at(-1);
    const terminator = last !== undefined && last.json === undefined ? last.data : undefined;
    const content = terminator === undefined ? reading.events : reading.events.slice(0, -1);
    const text = findStreamText(content, profile);
    return {
      ...reading,
      framing: framingOf(text),
      text,
      terminator,
      finishReason: inLast(content, STREAM_FINISH, profile, locate),
      usage: inLast(content, STREAM_USAGE, profile, (body) => findUsage(body, profile, STREAM_USAGE)),
    };
  },
);

/** Whether the content type is that of an event stream, whatever the body. */
export function isEventStreamType(answer: Answer): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(answer.headers['content-type']?.trim() ?? '');
}

function framingOf(text: StreamText | undefined): StreamReading['framing'] {
  if (text?.pointer === CHUNK_TEXT) return 'chunks';
  if (text?.pointer === WHOLE_TEXT && text.textEvents.length <= 1) return 'whole';
  return text !== undefined && text.textEvents.length > 1 ? 'chunks' : 'unknown';
}

/** Reads an item that any event may have: the last one with what is pinned, or else the last one that has it. */
function inLast<R extends object>(
  events: readonly StreamEvent[],
  point: Point,
  profile: Profile,
  read: (body: JsonObject, point: Point, profile: Profile) => R | 'absent' | 'unrecognised',
): R | 'absent' | 'unrecognised' {
  const pinned = events.findLast(({ json = null }) => findPinned(json, point, profile) !== undefined);
  let unfound: 'absent' | 'unrecognised' = 'absent';
  for (const { json } of pinned === undefined ? events.toReversed() : [pinned]) {
    const reading = isJsonObject(json) ? read(json, point, profile) : unnamedIn(json);
    if (typeof reading === 'object') return reading;
    if (reading === 'unrecognised') unfound = reading;
  }
  return unfound;
}

/** The elements of a list have no names, so any of them may be the item. */
function unnamedIn(json: JsonValue | undefined): 'absent' | 'unrecognised' {
  return Array.isArray(json) && json.length > 0 ? 'unrecognised' : 'absent';
}

/** What was generated, and what is said of it. */
export interface ResultReading {
  /** Of each choice, or of the stream; none where none was recognised. */
  readonly texts: readonly string[];
  /** Of the first choice. */
  readonly finishReason: ItemReading;
  readonly usage: UsageReading;
}

/** Reads a completion, whole or streamed. */
export function readResult(answer: Answer, info: TargetInfo): ResultReading {
  const whole = readCompletion(answer, info);
  if (whole === undefined) {
    const { text, ...said } = readStream(answer, info);
    return { ...said, texts: text === undefined ? [] : [text.text] };
  }
  const { choices = [], usage } = whole;
  return {
    texts: choices.flatMap(({ text }) => text ?? []),
    finishReason: choices[0]?.finishReason ?? 'absent',
    usage,
  };
}
