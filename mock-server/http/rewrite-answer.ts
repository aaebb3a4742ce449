import type { EventByEvent } from '../exchange/defect-hooks.ts';
import type { DeliveryFault } from '../faults/fault.ts';

/** An answer as it would be sent. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte. */
  readonly body: string;
}

/** The answer as its fault changes it. `error` is the body of an error object. */
export function rewriteAnswer(
  answer: OutgoingAnswer,
  fault: DeliveryFault | EventByEvent,
  error: () => string,
): OutgoingAnswer {
  const { body } = answer;
  switch (fault.fault) {
    case 'duplicate_event':
      return withBody(
        answer,
        changeEvent(body, fault.event, (event) => event + event),
      );
    case 'malformed_event':
      return withBody(answer, changeEvent(body, fault.event, halved));
    case 'error_event':
      return withBody(
        answer,
        `${body.slice(0, endOfEvents(body, fault.events))}data: ${error()}${blank(body)}`,
      );
    case 'wrong_content_length':
      return withLength(answer, body.length + fault.difference);
    case 'wrong_header':
      return withWrongHeader(answer, fault);
    case 'idle_closed':
      return fault.how === 'announced' ? withSecond(answer, 'connection', 'close') : answer;
    case 'connection_closed':
    case 'connection_reset':
    case 'body_cut':
    case 'stream_cut':
    case 'stall':
    case 'pieces':
    case 'split_characters':
    case 'bandwidth':
    case 'events':
      return answer;
  }
}

/** The value of the first header of this name. */
export function headerValueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === name);
  return at === -1 ? undefined : headers[at + 1];
}

function withBody(answer: OutgoingAnswer, body: string): OutgoingAnswer {
  return withLength({ ...answer, body }, body.length);
}

function withLength(answer: OutgoingAnswer, length: number): OutgoingAnswer {
  return withHeader(answer, 'content-length', String(Math.max(0, length)));
}

/** With another value of a header that it has. */
function withHeader(answer: OutgoingAnswer, name: string, value: string): OutgoingAnswer {
  const headers = answer.headers.map((text, index, all) =>
    index % 2 === 1 && all[index - 1] === name ? value : text,
  );
  return { ...answer, headers };
}

function withSecond(answer: OutgoingAnswer, name: string, value: string): OutgoingAnswer {
  return { ...answer, headers: [...answer.headers, name, value] };
}

function without(answer: OutgoingAnswer, name: string): OutgoingAnswer {
  const headers = answer.headers.filter((_, index, all) => all[index - (index % 2)] !== name);
  return { ...answer, headers };
}

type HeaderFault = Extract<DeliveryFault, { readonly fault: 'wrong_header' }>;

function withWrongHeader(answer: OutgoingAnswer, { header, how, value }: HeaderFault): OutgoingAnswer {
  if (header === 'content-encoding') return withEncoding(answer, how, String(value ?? 'gzip'));
  const standing = header === 'content-type' ? 'text/html' : answer.body.length + 1;
  const wrong = String(value ?? standing);
  if (how === 'missing') return without(answer, header);
  return how === 'wrong' ? withHeader(answer, header, wrong) : withSecond(answer, header, wrong);
}

/** Wrong: of a body that is not compressed. Missing or doubled: of one that is, once. */
function withEncoding(answer: OutgoingAnswer, how: HeaderFault['how'], value: string): OutgoingAnswer {
  const name = 'content-encoding';
  if (how === 'wrong') return withSecond(answer, name, value);
  // Loaded only here: it takes milliseconds to load.
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const packed = withBody(answer, gzipSync(Buffer.from(answer.body, 'latin1')).toString('latin1'));
  return how === 'missing' ? packed : withSecond(withSecond(packed, name, 'gzip'), name, value);
}

/** Changes one event, counted from 1; beyond the end, the last. */
function changeEvent(stream: string, event: number, change: (event: string) => string): string {
  const places = [...eventPlaces(stream)];
  const place = places[Math.min(event, places.length) - 1];
  if (place === undefined) return stream;
  const { start, end } = place;
  return stream.slice(0, start) + change(stream.slice(start, end)) + stream.slice(end);
}

function halved(event: string): string {
  const text = event.trimEnd();
  const data = text.indexOf('data:') + 'data:'.length;
  return text.slice(0, data + Math.ceil((text.length - data) / 2)) + blank(event);
}

/** The blank line after an event. */
function blank(stream: string): string {
  return stream.includes('\r\n\r\n') ? '\r\n\r\n' : '\n\n';
}

interface EventPlace {
  readonly start: number;
  /** After its blank line. */
  readonly end: number;
}

/** The events of an event stream. Comments do not count as events. */
function* eventPlaces(stream: string): Generator<EventPlace> {
  let start = 0;
  for (const { 0: blankLine, index } of stream.matchAll(/\r\n\r\n|\n\n/g)) {
    const end = index + blankLine.length;
    if (stream[start] !== ':') yield { start, end };
    start = end;
  }
}

/** Where the first so many events of an event stream end, with their blank lines. */
export function endOfEvents(stream: string, events: number): number {
  let end = 0;
  for (const place of eventPlaces(stream).take(events)) end = place.end;
  return end;
}

/** The size of each next piece, so that it ends inside a character of several bytes; a body of ASCII has two halves. */
export function splitsCharacter(body: string): (rest: string) => number {
  const half = Math.ceil(body.length / 2);
  if (!/[\u0080-\u00ff]/.test(body)) return () => half;
  return (rest) => {
    const found = rest.search(/[\u00c0-\u00ff][\u0080-\u00bf]/);
    return found === -1 ? rest.length : found + 1;
  };
}
