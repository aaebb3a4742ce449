import type { Choices, CompletionMembers, JsonObject } from '../second-service/choices.ts';
import { linesOf, pieces, CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import { variant, type Variants } from './variant.ts';

const chunk = (delta: JsonObject, more: JsonObject = {}, root: JsonObject = {}) => ({
  data: { object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }], ...root },
});

/** All that a response says beside its text. */
const summary = ({ root, choice, message }: Required<CompletionMembers>): JsonObject => ({
  ...message,
  ...choice,
  ...root,
});

export const STREAM_EVENTS = {
  'one-whole-event': variant('streams the whole response in one event', {
    events: (generation, members) => [{ data: CONVENTIONAL_CHOICES.completion(generation, members) }],
  }),
  'one-big-delta': variant('streams the whole text in one chunk', {
    events: ({ text }, { root, choice, message }) => [
      chunk({ role: 'assistant', content: text, ...message }, choice, root),
    ],
  }),
  'usage-in-an-extra-chunk': variant('streams usage in a separate chunk with empty choices', {
    events: ({ text }, { root, choice, message }) => [
      ...pieces(text).map((content) => chunk({ content })),
      chunk(message, choice),
      { data: { object: 'chat.completion.chunk', choices: [], ...root } },
    ],
  }),
  'named-events': variant('streams named events: text deltas, then a summary', {
    events: ({ id, text }, members) => [
      { name: 'started', data: { id } },
      ...pieces(text).map((piece) => ({ name: 'delta', data: { text: piece } })),
      { name: 'completed', data: summary(members) },
    ],
  }),
  'texts-for-events': variant('streams the text as JSON strings, then an object', {
    unreadable: ['RES-3', 'RES-4', 'STR-2', 'STR-3', 'VER-2'],
    events: ({ text }, members) => [
      ...pieces(text).map((piece) => ({ data: JSON.stringify(piece) })),
      { data: summary(members) },
    ],
  }),
  'nulls-in-deltas': variant('puts null into every delta and chunk for what is not known yet', {
    events: ({ text }, { root, choice, message }) => [
      chunk({ role: 'assistant', content: null, refusal: null }, { logprobs: null }, { usage: null }),
      ...pieces(text).map((content) =>
        chunk({ content, refusal: null }, { logprobs: null }, { usage: null }),
      ),
      chunk({ content: null, ...message }, { logprobs: null, ...choice }, root),
    ],
  }),
} satisfies Variants;

const endedBy =
  (newline: string): Choices['frameEvent'] =>
  ({ name, data }) =>
    linesOf(name, data)
      .map((line) => line + newline)
      .join('');

const NEWLINES = ['\n', '\r\n', '\r'];

export const STREAM_FRAMES = {
  'crlf-events': variant('ends the lines of a stream with CRLF', { frameEvent: endedBy('\r\n') }),
  'cr-events': variant('ends the lines of a stream with CR', { frameEvent: endedBy('\r') }),
  'mixed-newlines': variant('mixes LF, CRLF and CR in one stream', {
    frameEvent: ({ name, data }, index) =>
      linesOf(name, data)
        .map((line) => line + NEWLINES[index % 3])
        .join(''),
  }),
  'comments-between-events': variant('sends comments before, between and after events', {
    frameEvent: ({ name, data }) => `: a comment\n${linesOf(name, data).join('\n')}\n:\n\n`,
    streamEdges: [': welcome\n\n', ': goodbye'],
  }),
  'ids-of-events': variant('sends an ID and the name message with each event, and a retry time', {
    frameEvent: ({ name = 'message', data }, index) => `id: ${index}\n${linesOf(name, data).join('\n')}\n`,
    streamEdges: ['retry: 3000\n\n', ''],
  }),
  'no-space-after-the-colon': variant('sends no space between the colon and the value of a field', {
    frameEvent: ({ name, data }) =>
      `${name === undefined ? '' : `event:${name}\n`}data:${data.replaceAll(/\s*\n\s*/g, '')}\n\n`,
  }),
  'data-on-many-lines': variant('spreads the JSON of an event over several data lines', {
    frameEvent: ({ name, data }) =>
      `${linesOf(name, data.replaceAll(/(?<=^\{)|(?=\}$)/g, '\n')).join('\n')}\n`,
  }),
  'byte-order-mark': variant('begins a stream with a byte order mark', { streamEdges: ['\ufeff', ''] }),
} satisfies Variants;

export const STREAM_ENDS = {
  'no-terminator': variant('ends a stream after the last chunk, without a terminator', {
    lastEvent: undefined,
  }),
  'terminator-in-json': variant('ends a stream with the event { "done": true }', {
    lastEvent: { data: { done: true } },
  }),
  'named-terminator': variant('ends a stream with an empty object in an event named end', {
    lastEvent: { name: 'end', data: {} },
  }),
} satisfies Variants;

export const DELIVERIES = {
  'chunked-answers': variant('sends every response in chunks, without a Content-Length', {
    delivery: 'chunked',
  }),
  'in-small-pieces': variant('sends a stream in pieces of 48 bytes, some of which end inside a character', {
    delivery: 'in-small-pieces',
  }),
  heartbeats: variant('sends comments until the model has finished, then everything at once', {
    clause: 'STR-2',
    // A small run loses a stream alone, which has begun by then: what follows claims nothing either way.
    untestable: ['ERR-7'],
    delivery: 'chunked',
    heartbeatMs: 20,
  }),
} satisfies Variants;

export const PACES = {
  'slow-but-buffered': variant('takes its time over every completion, then sends all of it', {
    latencyMs: () => 70,
  }),
  'slow-refusals': variant('waits before it refuses', { clause: 'ERR-9', refusalLatencyMs: 20 }),
  'two-at-a-time': variant('serves at most two completions at a time for each key', {
    clause: 'LIM-5',
    concurrency: 2,
    retryAfter: () => '0',
    latencyMs: () => 5,
  }),
} satisfies Variants;
