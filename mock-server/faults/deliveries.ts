/** An answer as it would be sent. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte. */
  readonly body: string;
}

/** Text as a string of its UTF-8 bytes, one character for each: for whatever changes bytes. */
export function toUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The answer is changed or sent otherwise; its debit is settled. */
export interface Delivery {
  readonly kind: 'deliver';
  /** Absent: it stays as it is. `error` writes the body of an error object. */
  readonly change?: (answer: OutgoingAnswer, error: () => string) => OutgoingAnswer;
  /** The parts in which its body leaves, each once the one before has left; absent: whole. */
  readonly parts?: (body: string) => Iterable<string>;
  /** Milliseconds between two parts, in which other requests have their turn. */
  readonly pause?: number;
  /** What ends the connection, or leaves it open, after the last part; absent: the answer is whole. */
  readonly end?: 'fin' | 'rst' | 'silence';
  /** Milliseconds after a whole answer until the connection is closed, if it is idle. */
  readonly closesAfter?: number;
}

export function cutAfter(part: (body: string) => string, end: 'fin' | 'rst' = 'fin'): Delivery {
  return { kind: 'deliver', parts: (body) => [part(body)], end };
}

/** Content-Length says so many bytes more than there are. */
export function wrongLength(difference: number): Delivery {
  return {
    ...cutAfter((body) => body),
    change: (answer) =>
      withHeader(answer, 'content-length', String(Math.max(0, answer.body.length + difference))),
  };
}

/** The body stops after so many bytes, for so many milliseconds; undefined: for ever. */
export function stall(bytes: number, ms?: number): Delivery {
  if (ms === undefined) return { ...cutAfter((body) => body.slice(0, bytes)), end: 'silence' };
  return { kind: 'deliver', parts: (body) => [body.slice(0, bytes), body.slice(bytes)], pause: ms };
}

/** The body leaves in pieces. `sizeIn`: of the next piece, in what is left. */
export function inPieces(sizeIn: (rest: string) => number, pause: number): Delivery {
  function* parts(body: string): Generator<string> {
    for (let rest = body; rest !== '';) {
      const size = sizeIn(rest);
      yield rest.slice(0, size);
      rest = rest.slice(size);
    }
  }
  return { kind: 'deliver', parts, pause };
}

export function eventByEvent(pause: number): Delivery {
  return inPieces((rest) => endOfEvents(rest, 1) || rest.length, pause);
}

/** After the first byte of the next character of several bytes; -1: there is none. */
export function insideCharacter(utf8: string, from = 0): number {
  const found = utf8.slice(from).search(/[\u00c0-\u00ff][\u0080-\u00bf]/);
  return found === -1 ? -1 : from + found + 1;
}

export function headerValueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === name);
  return at === -1 ? undefined : headers[at + 1];
}

export function withBody(answer: OutgoingAnswer, body: string): OutgoingAnswer {
  return withHeader({ ...answer, body }, 'content-length', String(body.length));
}

/** With these values of a header in place of its own. */
export function withHeader(answer: OutgoingAnswer, name: string, ...values: readonly string[]) {
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
export function changingEvent(event: number, change: (event: string) => string): Delivery {
  return {
    kind: 'deliver',
    change: (answer) => {
      const { body } = answer;
      const place = [...eventPlaces(body)].slice(0, event).at(-1);
      if (place === undefined) return answer;
      const [start, end] = place;
      return withBody(answer, body.slice(0, start) + change(body.slice(start, end)) + body.slice(end));
    },
  };
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

/**
 * Where the events of an event stream begin, and end with their blank lines. Comments do not count as events. Reads no
 * further than it is asked: what leaves event by event is read anew for each of them.
 */
function* eventPlaces(stream: string): Generator<readonly [start: number, end: number]> {
  let start = 0;
  for (const { 0: blank, index } of stream.matchAll(/\r\n\r\n|\n\n/g)) {
    const end = index + blank.length;
    if (stream[start] !== ':') yield [start, end];
    start = end;
  }
}

/** Where the first so many events of an event stream end. */
export function endOfEvents(stream: string, events: number): number {
  let last = 0;
  for (const [, end] of eventPlaces(stream).take(events)) last = end;
  return last;
}
