import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { findStreamFinishReason } from '../completions/find-finish-reason.ts';
import { findUsage, type UsageReading } from '../completions/find-usage.ts';
import type { ItemReading } from '../errors/read-error.ts';
import { isJsonObject } from '../json.ts';
import { findPinnedFirst } from '../pins.ts';
import { CHUNK_TEXT, findStreamText, type StreamText, WHOLE_TEXT } from './find-stream-text.ts';
import { type EventsReading, readEvents, type StreamEvent } from './read-events.ts';

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

/** Reads a body as a streamed completion, under any framing. Read once per answer; never throws. */
export const readStream: (answer: Answer, info: TargetInfo) => StreamReading = readOnce((answer, info) => {
  const reading = readEvents(answer);
  const last = reading.events.at(-1);
  const terminator = last !== undefined && last.json === undefined ? last.data : undefined;
  const content = terminator === undefined ? reading.events : reading.events.slice(0, -1);
  const text = findStreamText(content, info.profile);
  return {
    ...reading,
    framing: framingOf(text),
    text,
    terminator,
    finishReason: finishReasonIn(content, info),
    usage: usageIn(content, info),
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

function finishReasonIn(events: readonly StreamEvent[], { profile }: TargetInfo): ItemReading {
  return findPinnedFirst(profile, 'stream.finish_reason', (each) =>
    lastFound(events, (body) => findStreamFinishReason(body, each)),
  );
}

function usageIn(events: readonly StreamEvent[], { profile }: TargetInfo): UsageReading {
  return findPinnedFirst(profile, 'stream.usage', (each) =>
    lastFound(events, (body) => findUsage(body, each, 'stream.usage')),
  );
}

/** Array elements have no names, so any of them may be the item. */
function unnamedIn(json: JsonValue | undefined): 'absent' | 'unrecognised' {
  return Array.isArray(json) && json.length > 0 ? 'unrecognised' : 'absent';
}

/** An item may be in any event; the last one counts. */
function lastFound<R extends object>(
  events: readonly StreamEvent[],
  find: (body: JsonObject) => R | 'absent' | 'unrecognised',
): R | 'absent' | 'unrecognised' {
  let unfound: 'absent' | 'unrecognised' = 'absent';
  for (const { json } of events.toReversed()) {
    const reading = isJsonObject(json) ? find(json) : unnamedIn(json);
    if (typeof reading === 'object') return reading;
    if (reading === 'unrecognised') unfound = reading;
  }
  return unfound;
}
