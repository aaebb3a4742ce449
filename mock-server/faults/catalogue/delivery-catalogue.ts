import { type FaultDescription, choice, integer, LARGEST, type FaultParameters } from './fault-parameter.ts';

function delivery<const Parameters extends FaultParameters>(meaning: string, parameters: Parameters) {
  return {
    meaning,
    phases: ['inside-body'],
    defaultPhase: 'inside-body',
    appliesTo: 'any',
    parameters,
  } as const satisfies FaultDescription;
}

function ofStream<const Parameters extends FaultParameters>(meaning: string, parameters: Parameters) {
  return { ...delivery(meaning, parameters), appliesTo: 'streams' } as const;
}

const WHICH_EVENT = { event: integer('Which event; beyond the end: the last', 1, 2) };

/** Faults of an answer that is on its way: its debit is settled. */
export const DELIVERY_FAULTS = {
  body_cut: delivery('The connection is closed inside the body', {
    bytes: integer('Bytes of the body that are sent first', 0, 1),
  }),
  stream_cut: ofStream('The connection is closed between two events of a stream', {
    events: integer('Whole events that are sent first', 0, 1),
  }),
  stall: delivery('The body stops, and the connection stays open', {
    bytes: integer('Bytes of the body that are sent first', 0, 0),
    ms: {
      kind: 'integer',
      meaning: 'Milliseconds until the rest is sent; absent: never',
      minimum: 1,
      maximum: LARGEST,
    },
  }),
  pieces: delivery('The body arrives in pieces', {
    bytes: integer('Bytes in each piece', 1, 1),
    ms: integer('Milliseconds between pieces', 0, 0),
  }),
  split_characters: delivery(
    'The body arrives in pieces that end inside a character of several bytes; without such a character: in two halves',
    { ms: integer('Milliseconds between pieces', 0, 5) },
  ),
  bandwidth: delivery('The body arrives no faster than so many bytes a second', {
    bytes_per_second: integer('Bytes of the body in a second', 1, 1000),
  }),
  duplicate_event: ofStream('One event of a stream is sent twice', WHICH_EVENT),
  malformed_event: ofStream('The data of one event of a stream is half of its JSON', WHICH_EVENT),
  error_event: ofStream('An error object ends a stream as its last event', {
    events: integer('Whole events that are sent first', 0, 1),
  }),
  wrong_header: delivery('A header of the answer is wrong, missing or doubled', {
    header: choice('Which header; a missing or doubled Content-Encoding is that of a compressed body', [
      'content-type',
      'content-length',
      'content-encoding',
    ]),
    how: choice('A wrong value, no such header, or a second one after the right one', [
      'wrong',
      'missing',
      'doubled',
    ]),
    value: { kind: 'header', meaning: 'The wrong value; absent: text/html, a byte too many, or gzip' },
  }),
  idle_closed: delivery('The answer is whole, and the kept connection is closed once it is idle', {
    ms: integer('Milliseconds after the answer', 0, 0),
    how: choice("Without a word, or with the answer's header Connection: close, at once", [
      'silently',
      'announced',
    ]),
  }),
  wrong_content_length: delivery('Content-Length does not match the body; the connection is closed', {
    difference: {
      ...integer('Bytes declared but not sent; negative: sent but not declared', -LARGEST, 1),
      isNotZero: true,
    },
  }),
};
