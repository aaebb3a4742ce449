/** An answer as it would be sent. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte. */
  readonly body: string;
}

/** The value of the first header of this name. */
export function headerValueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === name);
  return at === -1 ? undefined : headers[at + 1];
}

/** With another body, and its length. */
export function withBody(answer: OutgoingAnswer, body: string): OutgoingAnswer {
  return withHeader({ ...answer, body }, 'content-length', String(body.length));
}

/** With these values of a header in place of its own. */
export function withHeader(
  answer: OutgoingAnswer,
  name: string,
  ...values: readonly string[]
): OutgoingAnswer {
  const others = answer.headers.filter((_, index, all) => all[index - (index % 2)] !== name);
  return { ...answer, headers: [...others, ...values.flatMap((value) => [name, value])] };
}

/** Compressed, without a word of it in the head. */
export function packed(answer: OutgoingAnswer): OutgoingAnswer {
  // Loaded only here: it takes milliseconds to load.
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  return withBody(answer, gzipSync(Buffer.from(answer.body, 'latin1')).toString('latin1'));
}

/** Changes one event, counted from 1; beyond the end, the last. */
export function changeEvent(
  answer: OutgoingAnswer,
  event: number,
  change: (event: string) => string,
): OutgoingAnswer {
  const { body } = answer;
  const places = [...eventPlaces(body)];
  const place = places[Math.min(event, places.length) - 1];
  if (place === undefined) return answer;
  const { start, end } = place;
  return withBody(answer, body.slice(0, start) + change(body.slice(start, end)) + body.slice(end));
}

/** With half of its data. */
export function halved(event: string): string {
  const text = event.trimEnd();
  const data = text.indexOf('data:') + 'data:'.length;
  return text.slice(0, data + Math.ceil((text.length - data) / 2)) + blankLine(event);
}

/** The blank line after an event. */
export function blankLine(stream: string): string {
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
  for (const { 0: blank, index } of stream.matchAll(/\r\n\r\n|\n\n/g)) {
    const end = index + blank.length;
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

/** After the first byte of the next character of several bytes; -1: there is none. */
export function insideCharacter(utf8: string, from = 0): number {
  const found = utf8.slice(from).search(/[\u00c0-\u00ff][\u0080-\u00bf]/);
  return found === -1 ? -1 : from + found + 1;
}
