import type { Choices, CompletionMembers, JsonObject } from '../second-service/choices.ts';
import { linesOf, pieces, CONVENTION } from '../second-service/convention.ts';
import type { Variants } from './variants.ts';

const chunk = (delta: JsonObject, more: JsonObject = {}, root: JsonObject = {}) => ({
  data: { object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }], ...root },
});

/** All that a response says beside its text. */
const summary = ({ root, choice, message }: Required<CompletionMembers>): JsonObject => ({
  ...message,
  ...choice,
  ...root,
});

const endedBy =
  (newline: string): Choices['frameEvent'] =>
  ({ name, data }) =>
    linesOf(name, data)
      .map((line) => line + newline)
      .join('');

const NEWLINES = ['\n', '\r\n', '\r'];

export const STREAM_VARIANTS: Variants = {
  // Events
  'one-whole-event': {
    untestable: ['VER-2'],
    events: (generation, members) => [{ data: CONVENTION.completion(generation, members) }],
  },
  'one-big-delta': {
    events: ({ text }, { root, choice, message }) => [
      chunk({ role: 'assistant', content: text, ...message }, choice, root),
    ],
  },
  'usage-in-an-extra-chunk': {
    events: ({ text }, { root, choice, message }) => [
      ...pieces(text).map((content) => chunk({ content })),
      chunk(message, choice),
      { data: { object: 'chat.completion.chunk', choices: [], ...root } },
    ],
  },
  'named-events': {
    untestable: ['VER-2'],
    events: ({ id, text }, members) => [
      { name: 'started', data: { id } },
      ...pieces(text).map((piece) => ({ name: 'delta', data: { text: piece } })),
      { name: 'completed', data: summary(members) },
    ],
  },
  'stream-of-json-strings': {
    unreadable: ['RES-3', 'RES-4', 'STR-2', 'STR-3', 'VER-2'],
    events: ({ text }, members) => [
      ...pieces(text).map((piece) => ({ data: JSON.stringify(piece) })),
      { data: summary(members) },
    ],
  },
  'nulls-in-deltas': {
    events: ({ text }, { root, choice, message }) => [
      chunk({ role: 'assistant', content: null, refusal: null }, { logprobs: null }, { usage: null }),
      ...pieces(text).map((content) =>
        chunk({ content, refusal: null }, { logprobs: null }, { usage: null }),
      ),
      chunk({ content: null, ...message }, { logprobs: null, ...choice }, root),
    ],
  },

  // Their frames
  'crlf-events': { frameEvent: endedBy('\r\n') },
  'cr-events': { frameEvent: endedBy('\r') },
  'mixed-newlines': {
    frameEvent: ({ name, data }, index) =>
      linesOf(name, data)
        .map((line) => line + NEWLINES[index % 3])
        .join(''),
  },
  'comments-between-events': {
    frameEvent: ({ name, data }) => `: a comment\n${linesOf(name, data).join('\n')}\n:\n\n`,
    streamEdges: [': welcome\n\n', ': goodbye'],
  },
  'ids-of-events': {
    frameEvent: ({ name = 'message', data }, index) => `id: ${index}\n${linesOf(name, data).join('\n')}\n`,
    streamEdges: ['retry: 3000\n\n', ''],
  },
  'no-space-after-the-colon': {
    frameEvent: ({ name, data }) =>
      `${name === undefined ? '' : `event:${name}\n`}data:${data.replaceAll(/\s*\n\s*/g, '')}\n\n`,
  },
  'data-on-many-lines': {
    frameEvent: ({ name, data }) =>
      `${linesOf(name, data.replaceAll(/(?<=^\{)|(?=\}$)/g, '\n')).join('\n')}\n`,
  },
  'byte-order-mark': { streamEdges: ['\ufeff', ''] },

  // The end
  'no-terminator': { lastEvent: undefined },
  'terminator-in-json': { lastEvent: { data: { done: true } } },
  'named-terminator': { lastEvent: { name: 'end', data: {} } },

  // How a response is delivered
  'chunked-answers': { delivery: 'chunked' },
  'in-small-pieces': { delivery: 'in-small-pieces' },
  heartbeats: {
    // A small run loses a stream alone, which has begun by then: what follows claims nothing either way.
    untestable: ['ERR-7'],
    delivery: 'chunked',
    heartbeatMs: 20,
  },

  // Pace
  'slow-but-buffered': { latencyMs: () => 70 },
  // Long, too: of no other service is it as hard to tell that it buffers (STR-2).
  'slow-but-buffered-in-chunks': {
    latencyMs: () => 90,
    delivery: 'chunked',
    generate: (most, _, countTokens) => {
      const words = Array.from({ length: most }, (__, i) => `word${i}`);
      while (countTokens(words.join(' ')) > most) words.pop();
      return words.join(' ');
    },
  },
  'slow-refusals': { refusalLatencyMs: 20 },
  'two-at-a-time': { concurrency: 2, retryAfter: () => '0', latencyMs: () => 5 },
};
