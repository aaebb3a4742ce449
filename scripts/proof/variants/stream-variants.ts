import { type CompletionMembers, type JsonObject, linesOf, pieces } from '../second-service/convention.ts';
import { UNREAD_BY_CLIENT, type Variants, variantsOf } from './variant.ts';

const chunk = (delta: JsonObject, more: JsonObject = {}, root: JsonObject = {}) => ({
  data: { object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }], ...root },
});

/** All that a response says beside its text. */
const summary = ({ root, choice, message }: Required<CompletionMembers>): JsonObject => ({
  ...message,
  ...choice,
  ...root,
});

const NULLS = [{ logprobs: null }, { usage: null }] as const;

export const STREAM_VARIANTS: Variants = {
  // Events
  ...variantsOf('events', {
    'one-big-delta': ({ text }, { root, choice, message }) => [
      chunk({ role: 'assistant', content: text, ...message }, choice, root),
    ],
    'usage-in-an-extra-chunk': ({ text }, { root, choice, message }) => [
      ...pieces(text).map((content) => chunk({ content })),
      chunk(message, choice),
      { data: { object: 'chat.completion.chunk', choices: [], ...root } },
    ],
    'nulls-in-deltas': ({ text }, { root, choice, message }) => [
      chunk({ role: 'assistant', content: null, refusal: null }, ...NULLS),
      ...pieces(text).map((content) => chunk({ content, refusal: null }, ...NULLS)),
      chunk({ content: null, ...message }, { logprobs: null, ...choice }, root),
    ],
  }),
  'named-events': {
    ...UNREAD_BY_CLIENT,
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

  // Their frames
  'cr-events': { frameEvent: ({ name, data }) => `${linesOf(name, data).join('\r')}\r` },
  'comments-between-events': {
    frameEvent: ({ name, data }) => `: a comment\n${linesOf(name, data).join('\n')}\n:\n\n`,
    streamEdges: [': welcome\n\n', ': goodbye'],
  },
  'ids-of-events': {
    frameEvent: ({ name = 'message', data }, index) => `id: ${index}\n${linesOf(name, data).join('\n')}\n`,
    streamEdges: ['retry: 3000\n\n', ''],
  },
  'byte-order-mark': { streamEdges: ['\ufeff', ''] },

  // The end
  'terminator-in-json': { lastEvent: { data: { done: true } } },
  'named-terminator': { lastEvent: { name: 'end', data: {} } },

  // How a response is delivered
  'chunked-answers': { delivery: 'chunked' },
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
