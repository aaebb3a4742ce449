import type { Delivery } from './fault.ts';
import type { Line, OutgoingAnswer } from './line.ts';
import { endOfEvents, insideCharacter, withHeader } from './outgoing-answer.ts';

/** The connection ends after a part of the body. */
export function cutAfter(part: (body: string) => string, how: 'fin' | 'rst' = 'fin'): Delivery {
  return { kind: 'deliver', send: (line, answer) => sendCut(line, answer, part(answer.body), how) };
}

async function sendCut(line: Line, answer: OutgoingAnswer, part: string, how: 'fin' | 'rst'): Promise<void> {
  await line.begin(answer, part);
  line.cut(how);
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
  return {
    kind: 'deliver',
    send: async (line, answer) => {
      await line.begin(answer, answer.body.slice(0, bytes));
      if (ms === undefined) return line.silence();
      await line.pause(ms);
      line.end(answer.body.slice(bytes));
    },
  };
}

/** The body leaves in pieces. `sizeIn`: of the next piece, in what is left. */
export function inPieces(sizeIn: (rest: string, body: string) => number, ms: number): Delivery {
  return {
    kind: 'deliver',
    send: async (line, answer) => {
      const { body } = answer;
      await line.begin(answer);
      let rest = body;
      for (let size = sizeIn(rest, body); size < rest.length; size = sizeIn(rest, body)) {
        await line.write(rest.slice(0, size));
        rest = rest.slice(size);
        await line.pause(ms);
      }
      line.end(rest);
    },
  };
}

/** A stream leaves event by event. */
export function eventByEvent(ms: number): Delivery {
  return inPieces((rest) => endOfEvents(rest, 1) || rest.length, ms);
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
