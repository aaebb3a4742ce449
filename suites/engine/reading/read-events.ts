import { createParser } from 'eventsource-parser';
import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { Answer } from '../model/exchange.ts';
import { jsonOfText } from './json.ts';

export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: string;
  /** Undefined when the data is not JSON. */
  readonly json: JsonValue | undefined;
  /** When its last byte arrived: milliseconds since the request left. */
  readonly at: number;
}

/** A body read as an event stream (WHATWG HTML, "Server-sent events"). */
export interface EventsReading {
  readonly events: readonly StreamEvent[];
  readonly isUtf8: boolean;
  /** The body ends inside an event, which readers drop. */
  readonly cutOff: boolean;
  readonly newline: Newline;
}

export type Newline = 'lf' | 'crlf' | 'cr' | 'mixed';

/** Reads the events of a body, whatever its content type; never throws. */
export function readEvents(answer: Answer): EventsReading {
  const events: StreamEvent[] = [];
  let at = answer.endedAt;
  const parser = createParser({
    onEvent: ({ event: name, data }) => {
      events.push({ name, data, json: BEGINS_JSON.test(data) ? jsonOfText(data) : undefined, at });
    },
  });
  let text = '';
  try {
    for (const piece of decodedPieces(answer)) {
      at = piece.at;
      text += piece.text;
      parser.feed(piece.text);
    }
  } catch {
    return { events, isUtf8: false, cutOff: false, newline: newlineOf(text) };
  }
  return { events, isUtf8: true, cutOff: endsInsideEvent(text), newline: newlineOf(text) };
}

/** Throws a TypeError at the first byte that is not UTF-8. */
function* decodedPieces(answer: Answer): Iterable<{ text: string; at: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let from = 0;
  for (const { at, upTo } of answer.pieces) {
    yield { text: decoder.decode(answer.body.subarray(from, upTo), { stream: true }), at };
    from = upTo;
  }
  yield { text: decoder.decode(answer.body.subarray(from)), at: answer.endedAt };
}

/** What a JSON text may begin with: of many thousand events that are none, each would be an exception, which takes long. */
const BEGINS_JSON = /^[ \t\r\n]*[[{"\-\dtfn]/;

function endsInsideEvent(text: string): boolean {
  const lastBlank = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\r'), text.lastIndexOf('\n\r\n'));
  return /(?:^|[\r\n])data(?:[:\r\n]|$)/.test(text.slice(lastBlank + 1));
}

function newlineOf(text: string): Newline {
  if (!text.includes('\r')) return 'lf';
  const rest = text.replaceAll('\r\n', '');
  if (rest.includes('\n')) return 'mixed';
  if (rest.length === text.length) return 'cr';
  return rest.includes('\r') ? 'mixed' : 'crlf';
}
