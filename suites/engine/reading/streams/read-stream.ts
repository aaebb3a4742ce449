import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import {
  FINISH_REASON,
  findUsage,
  readCompletion,
  USAGE,
  type UsageReading,
} from '../completions/read-completion.ts';
import { isJsonObject, valueAt } from '../json.ts';
import {
  findPinned,
  isText,
  type ItemReading,
  locate,
  named,
  pinnedPointer,
  type Point,
  words,
} from '../locate.ts';
import { type EventsReading, readEvents, type StreamEvent } from '../read-events.ts';

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
export const readStream = readOnce((answer: Answer, { profile }: TargetInfo): StreamReading => {
  const reading = readEvents(answer);
  const last = reading.events.at(-1);
  const terminator = last !== undefined && last.json === undefined ? last.data : undefined;
  const content = terminator === undefined ? reading.events : reading.events.slice(0, -1);
  const text = textIn(content, profile);
  return {
    ...reading,
    framing: framingOf(text),
    text,
    terminator,
    finishReason: inLast(content, STREAM_FINISH, profile, locate),
    usage: inLast(content, STREAM_USAGE, profile, (body) => findUsage(body, profile, STREAM_USAGE)),
  };
});

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

export const CHUNK_TEXT = '/choices/0/delta/content';
export const WHOLE_TEXT = '/choices/0/message/content';

/** The generated text of a stream. `pointer`: its place inside an event; '' is the whole data of the event. */
interface StreamText {
  readonly pointer: string;
  readonly text: string;
  /** The events with at least one character of it. */
  readonly textEvents: readonly StreamEvent[];
}

/**
 * The text in the events of a stream (STR-3, STR-5): where the profile pins it, at the places of the common convention, or
 * at the likeliest other place; undefined when none is there. Text found elsewhere than at the pinned place shows that
 * the pin no longer holds.
 */
function textIn(events: readonly StreamEvent[], profile: Profile): StreamText | undefined {
  const pinned = pinnedPointer(profile, 'stream.text');
  const pointers = [...(pinned === undefined ? [] : [pinned]), CHUNK_TEXT, WHOLE_TEXT];
  const found = pointers.flatMap((pointer) => textAt(events, pointer) ?? []);
  const filled = found.find(({ text }) => text !== '');
  const there = found.find(({ pointer }) => pointer === pinned);
  return filled ?? there ?? longestText(events) ?? found[0] ?? nothingSaid(events);
}

const TEXT_NAMES = words(`
  content text delta token outputtext generatedtext completion output response answer message chunk value piece
`);

export const STREAM_TEXT: Point<string> = {
  in: ['/choices/0/delta', '/choices/0/message', '/choices/0', '/delta', ''],
  names: TEXT_NAMES,
  anywhere: TEXT_NAMES,
  accepts: isText,
};

/** Every place is looked at in every event: a stream with the text of each event at a place of its own has none. */
const MOST_PLACES = 64;

/** Of all places with a likely name, the one with the most text: the first event may only say that the stream begins. */
function longestText(events: readonly StreamEvent[]): StreamText | undefined {
  const places = new Set(
    events.flatMap(({ json = null }) => [...named(json, STREAM_TEXT)].map(({ pointer }) => pointer)),
  );
  const found = [...places].slice(0, MOST_PLACES).flatMap((pointer) => textAt(events, pointer) ?? []);
  return found.toSorted((one, other) => other.text.length - one.text.length)[0];
}

function textAt(events: readonly StreamEvent[], pointer: string): StreamText | undefined {
  const texts = events.map((event) => ({ event, text: eventText(event, pointer) }));
  if (texts.every(({ text }) => text === undefined)) return undefined;
  return {
    pointer,
    text: texts.map(({ text }) => text ?? '').join(''),
    textEvents: texts.filter(({ text }) => text !== undefined && text !== '').map(({ event }) => event),
  };
}

/** What an event holds at a place of text: of whole data a JSON string, or else the raw data, which may look like a number. */
export function eventText({ json, data }: StreamEvent, pointer: string): string | undefined {
  const value = json === undefined ? undefined : valueAt(json, pointer);
  if (pointer === '' && (typeof value !== 'object' || value === null))
    return typeof value === 'string' ? value : data;
  return typeof value === 'string' ? value : undefined;
}

const BESIDE_TEXT: ReadonlySet<string> = new Set(['index', 'finish_reason', 'logprobs', 'delta', 'role']);

/** The chunks of a model that has said nothing need not hold an empty text. */
function nothingSaid(events: readonly StreamEvent[]): StreamText | undefined {
  const choices = events.flatMap(({ json }) => {
    const chunked = json === undefined ? undefined : valueAt(json, '/choices');
    return Array.isArray(chunked) ? chunked : [];
  });
  const isSilent = choices.length > 0 && choices.every(saysNothing);
  return isSilent ? { pointer: CHUNK_TEXT, text: '', textEvents: [] } : undefined;
}

/** Whether a choice has a delta, and neither of them has a member that could be a text. */
function saysNothing(choice: JsonValue): boolean {
  const delta = valueAt(choice, '/delta');
  if (!isJsonObject(choice) || !isJsonObject(delta)) return false;
  const members = [...Object.entries(choice), ...Object.entries(delta)];
  return members.every(([name, value]) => value === null || BESIDE_TEXT.has(name));
}
