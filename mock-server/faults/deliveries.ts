import type { Delivery } from './fault.ts';
import { endOfEvents, insideCharacter, type OutgoingAnswer, withHeader } from './outgoing-answer.ts';

export function changed(change: (answer: OutgoingAnswer, error: () => string) => OutgoingAnswer): Delivery {
  return { kind: 'deliver', change };
}

/** The connection ends after a part of the body. */
export function cutAfter(part: (body: string) => string, end: 'fin' | 'rst' = 'fin'): Delivery {
  return { kind: 'deliver', parts: (body) => [part(body)], end };
}

/** Content-Length says so many bytes more than there are. */
export function wrongLength(difference: number): Delivery {
  const lengthOf = ({ body }: OutgoingAnswer): string => String(Math.max(0, body.length + difference));
  return {
    ...cutAfter((body) => body),
    change: (answer) => withHeader(answer, 'content-length', lengthOf(answer)),
  };
}

/** The body stops after so many bytes, for so many milliseconds; undefined: for ever. */
export function stall(bytes: number, ms?: number): Delivery {
  if (ms === undefined) return { ...cutAfter((body) => body.slice(0, bytes)), end: 'silence' };
  return { kind: 'deliver', parts: (body) => [body.slice(0, bytes), body.slice(bytes)], pause: ms };
}

/** The body leaves in pieces. `sizeIn`: of the next piece, in what is left. */
export function inPieces(sizeIn: (rest: string, body: string) => number, pause: number): Delivery {
  function* parts(body: string): Generator<string> {
    for (let rest = body; rest !== '';) {
      const size = sizeIn(rest, body);
      yield rest.slice(0, size);
      rest = rest.slice(size);
    }
  }
  return { kind: 'deliver', parts, pause };
}

/** A stream leaves event by event. */
export function eventByEvent(pause: number): Delivery {
  return inPieces((rest) => endOfEvents(rest, 1) || rest.length, pause);
}

/** The size of the next piece that ends inside a character of several bytes; a body of ASCII has two halves. */
export function splitsCharacter(rest: string, body: string): number {
  const inside = insideCharacter(rest);
  if (inside !== -1) return inside;
  return insideCharacter(body) === -1 ? Math.ceil(body.length / 2) : rest.length;
}

/** How often in a second a part is sent at a rate. */
const PARTS_A_SECOND = 50;

/** The body leaves no faster than so many bytes a second. */
export function atRate(bytesPerSecond: number): Delivery {
  const bytes = Math.max(1, Math.round(bytesPerSecond / PARTS_A_SECOND));
  return inPieces(() => bytes, Math.round((bytes * 1000) / bytesPerSecond));
}
