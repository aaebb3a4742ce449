import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Profile } from '../../model/target.ts';
import { isJsonObject, valueAt } from '../json.ts';
import { named, pinnedPointer } from '../locate.ts';
import { STREAM_TEXT } from '../points.ts';
import type { StreamEvent } from '../read-events.ts';

export const CHUNK_TEXT = '/choices/0/delta/content';
export const WHOLE_TEXT = '/choices/0/message/content';

/** Every place is looked at in every event: a stream with the text of each event at a place of its own has none. */
const MOST_PLACES = 64;

/** The generated text of a stream. `pointer`: its place inside an event; '' is the whole data of the event. */
export interface StreamText {
  readonly pointer: string;
  readonly text: string;
  /** The events with at least one character of it. */
  readonly textEvents: readonly StreamEvent[];
}

/**
 * Finds the text in the events of a stream (STR-3, STR-5); undefined when none is recognised. Text found elsewhere than
 * at the pinned place shows that the pin no longer holds.
 */
export function findStreamText(events: readonly StreamEvent[], profile: Profile): StreamText | undefined {
  const pinned = pinnedPointer(profile, 'stream.text');
  const there = pinned === undefined ? undefined : textAt(events, pinned);
  const usual = [textAt(events, CHUNK_TEXT), textAt(events, WHOLE_TEXT)];
  const filled = [there, ...usual].find((found) => found !== undefined && found.text !== '');
  return filled ?? there ?? longestText(events) ?? usual[0] ?? usual[1] ?? nothingSaid(events);
}

/** Of all places with a likely name, the one with the most text. */
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

/** What an event holds at a place of text. */
export function eventText(event: StreamEvent, pointer: string): string | undefined {
  if (pointer === '') return wholeText(event);
  const value = event.json === undefined ? undefined : valueAt(event.json, pointer);
  return typeof value === 'string' ? value : undefined;
}

/** A JSON string, or else the raw data, since text may look like a number. Objects and arrays are not text. */
function wholeText({ json, data }: StreamEvent): string | undefined {
  if (typeof json === 'string') return json;
  return typeof json === 'object' && json !== null ? undefined : data;
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
  if (!isJsonObject(choice)) return false;
  const { delta } = choice;
  if (!isJsonObject(delta)) return false;
  return [...Object.entries(choice), ...Object.entries(delta)].every(
    ([name, value]) => value === null || BESIDE_TEXT.has(name),
  );
}
