import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Profile } from '../../model/target.ts';
import { isJsonObject, childPointer, type Found, valueAt } from '../json.ts';
import { normalizeName, words } from '../names.ts';
import { pinnedText } from '../pins.ts';
import type { StreamEvent } from './read-events.ts';

export const CHUNK_TEXT = '/choices/0/delta/content';
export const WHOLE_TEXT = '/choices/0/message/content';

const USUAL = [
  CHUNK_TEXT,
  WHOLE_TEXT,
  '/choices/0/text',
  '/choices/0/delta/text',
  '/delta/content',
  '/delta/text',
];
const NAMES: ReadonlySet<string> = new Set(
  words(
    'content text delta token outputtext generatedtext completion output response answer message chunk value piece',
  ),
);
const MAX_DEPTH = 6;
/** Every place is looked at in every event: a stream with the text of each event at a place of its own has none. */
const MOST_PLACES = 64;

/** The generated text of a stream. `pointer`: its place inside an event; '' is the whole data of the event. */
export interface StreamText {
  readonly pointer: string;
  readonly text: string;
  /** The events with at least one character of it. */
  readonly textEvents: readonly StreamEvent[];
}

/** Finds the text in the events of a stream (STR-3, STR-5); undefined when none is recognised. */
export function findStreamText(events: readonly StreamEvent[], profile: Profile): StreamText | undefined {
  const pinned = pinnedText(profile, 'stream.text');
  const there = pinned === undefined ? undefined : textAt(events, pinned);
  if (there !== undefined && there.text !== '') return there;
  // Text found elsewhere than at the pinned place shows that the pin no longer holds.
  const usual = USUAL.flatMap((pointer) => textAt(events, pointer) ?? []);
  return (
    usual.find(({ text }) => text !== '') ?? there ?? longestText(events) ?? usual[0] ?? nothingSaid(events)
  );
}

/** The chunks of a model that has said nothing need not hold an empty text. */
function nothingSaid(events: readonly StreamEvent[]): StreamText | undefined {
  const choices = events.flatMap(({ json }) => {
    const chunked = json === undefined ? undefined : valueAt(json, '/choices');
    return Array.isArray(chunked) ? chunked : [];
  });
  const isSilent = choices.length > 0 && choices.every(saysNothing);
  return isSilent ? { pointer: CHUNK_TEXT, text: '', textEvents: [] } : undefined;
}

const BESIDE_TEXT: ReadonlySet<string> = new Set(['index', 'finish_reason', 'logprobs', 'delta', 'role']);

/** Whether a choice has a delta, and neither of them has a member that could be a text. */
function saysNothing(choice: JsonValue): boolean {
  if (!isJsonObject(choice)) return false;
  const { delta } = choice;
  if (!isJsonObject(delta)) return false;
  return [...Object.entries(choice), ...Object.entries(delta)].every(
    ([name, value]) => value === null || BESIDE_TEXT.has(name),
  );
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

/** Of all places with a likely name, the one with the most text. */
function longestText(events: readonly StreamEvent[]): StreamText | undefined {
  const places = new Set(
    events.flatMap(({ json }) => (json === undefined ? [] : textsIn({ pointer: '', value: json }))),
  );
  const found = [...places].slice(0, MOST_PLACES).flatMap((pointer) => textAt(events, pointer) ?? []);
  return found.toSorted((one, other) => other.text.length - one.text.length)[0];
}

function textsIn({ pointer, value }: Found, deep = MAX_DEPTH): string[] {
  if (deep === 0) return [];
  return childrenOf({ pointer, value }).flatMap((child) =>
    typeof child.value === 'string' && child.value !== '' && NAMES.has(nameOf(child.pointer))
      ? [child.pointer]
      : textsIn(child, deep - 1),
  );
}

function childrenOf({ pointer, value }: Found): Found[] {
  if (Array.isArray(value)) {
    return value.map((inner: JsonValue, index) => ({ pointer: childPointer(pointer, index), value: inner }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, inner]) => ({
    pointer: childPointer(pointer, name),
    value: inner,
  }));
}

/** An array element has the name of the array. */
function nameOf(pointer: string): string {
  return normalizeName(pointer.split('/').findLast((name) => !/^\d+$/.test(name)) ?? '');
}
