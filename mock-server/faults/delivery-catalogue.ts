import type { z } from 'zod';
import { oneOf, wholeNumber } from '../rules/words.ts';
import {
  blankLine,
  changingEvent,
  cutAfter,
  endOfEvents,
  halved,
  headerValueOf,
  inPieces,
  insideCharacter,
  type OutgoingAnswer,
  packed,
  stall,
  withBody,
  withHeader,
} from './deliveries.ts';
import { fault, headerValue } from './fault.ts';

/** A fault of any answer. */
const BODY = { phases: ['inside-body'], defaultPhase: 'inside-body' } as const;
const STREAM = { ...BODY, only: { endpoint: 'chat', stream: true } } as const;

const BYTES = wholeNumber(0).describe('Bytes of the body to send first');
const EVENTS = { events: wholeNumber(0).describe('Whole events to send first').default(1) };
const EVENT = { event: wholeNumber(1).describe('Number of the event; past the end: the last').default(2) };

const HEADER = {
  header: oneOf(['content-type', 'content-length', 'content-encoding'])
    .describe('The header; if Content-Encoding is missing or doubled, the body is compressed')
    .default('content-type'),
  how: oneOf(['wrong', 'missing', 'doubled'])
    .describe('A wrong value, no header, or a second header after the right one')
    .default('wrong'),
  value: headerValue
    .describe('The wrong value; absent: text/html, one byte too many, or gzip')
    .exactOptional(),
};

/** Faults of an answer that is on its way: its debit is settled. */
export const DELIVERY_FAULTS = {
  body_cut: fault({
    ...BODY,
    meaning: 'Closes the connection in the middle of the body',
    parameters: {
      bytes: BYTES.default(1),
      at: oneOf(['byte', 'character'])
        .describe(
          'After so many bytes; or not before the first byte of the next character of several bytes, if there is one',
        )
        .default('byte'),
    },
    effect: ({ bytes, at }) =>
      cutAfter((body) => {
        const inside = at === 'character' ? insideCharacter(body, bytes) : -1;
        return body.slice(0, inside === -1 ? bytes : inside);
      }),
  }),
  stream_cut: fault({
    ...STREAM,
    meaning: 'Closes the connection between two events of a stream',
    parameters: EVENTS,
    effect: ({ events }) => cutAfter((body) => body.slice(0, endOfEvents(body, events))),
  }),
  stall: fault({
    ...BODY,
    meaning: 'Stops sending the body; the connection stays open',
    parameters: {
      bytes: BYTES.default(0),
      ms: wholeNumber(1).describe('Milliseconds until the rest follows; absent: never').exactOptional(),
    },
    effect: ({ bytes, ms }) => stall(bytes, ms),
  }),
  pieces: fault({
    ...BODY,
    meaning: 'The body arrives in pieces',
    parameters: {
      bytes: wholeNumber(1).describe('Bytes in each piece').default(1),
      ms: wholeNumber(0).describe('Milliseconds between pieces').default(0),
    },
    effect: ({ bytes, ms }) => inPieces(() => bytes, ms),
  }),
  duplicate_event: fault({
    ...STREAM,
    meaning: 'One event of a stream is sent twice',
    parameters: EVENT,
    effect: ({ event }) => changingEvent(event, (text) => text + text),
  }),
  malformed_event: fault({
    ...STREAM,
    meaning: 'One event of a stream has only half of its JSON',
    parameters: EVENT,
    effect: ({ event }) => changingEvent(event, halved),
  }),
  error_event: fault({
    ...STREAM,
    meaning: 'An error object ends a stream as its last event',
    parameters: EVENTS,
    effect: ({ events }) => ({
      kind: 'deliver',
      change: (answer, error) => {
        const { body } = answer;
        const kept = body.slice(0, endOfEvents(body, events));
        return withBody(answer, `${kept}data: ${error()}${blankLine(body)}`);
      },
    }),
  }),
  wrong_header: fault({
    ...BODY,
    meaning: 'A header of the answer is wrong, missing or doubled',
    parameters: HEADER,
    effect: (given) => ({
      kind: 'deliver',
      // Where the head says another length, the body does not end the answer.
      ...(given.header === 'content-length' && given.how !== 'missing' && cutAfter((body) => body)),
      change: (answer) => withWrongHeader(answer, given),
    }),
  }),
  idle_closed: fault({
    ...BODY,
    meaning: 'Sends the whole answer, then closes the idle keep-alive connection',
    parameters: {
      ms: wholeNumber(0).describe('Milliseconds after the answer').default(0),
      how: oneOf(['silently', 'announced'])
        .describe('Without notice, or immediately with the header Connection: close')
        .default('silently'),
    },
    effect: ({ ms, how }) =>
      how === 'announced'
        ? { kind: 'deliver', change: (answer) => withHeader(answer, 'connection', 'close') }
        : { kind: 'deliver', closesAfter: ms },
  }),
};

/** A Content-Encoding is missing or doubled where the body is compressed, once; it is wrong where the body is not. */
function withWrongHeader(
  given: OutgoingAnswer,
  { header, how, value }: z.output<z.ZodObject<typeof HEADER>>,
): OutgoingAnswer {
  const isPacked = header === 'content-encoding' && how !== 'wrong';
  const answer = isPacked ? packed(given) : given;
  const right = isPacked ? 'gzip' : headerValueOf(answer.headers, header);
  const usual = {
    'content-type': 'text/html',
    'content-length': answer.body.length + 1,
    'content-encoding': 'gzip',
  };
  const wrong = String(value ?? usual[header]);
  const values = { wrong: [wrong], missing: [], doubled: [right ?? wrong, wrong] };
  return withHeader(answer, header, ...values[how]);
}
