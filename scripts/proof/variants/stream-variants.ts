import { chunk, linesOf, pieces, upTo } from '../second-service/convention.ts';
import { UNREAD_BY_CLIENT, type Variants, variantsOf } from './variant.ts';

const NULLS = [{ logprobs: null }, { usage: null }] as const;

export const STREAM_VARIANTS: Variants = {
  // Events
  ...variantsOf('events', {
    'one-big-delta': ({ text }, { root, choice }) => [
      chunk({ role: 'assistant', content: text }, choice, root),
    ],
    'usage-in-an-extra-chunk': ({ text }, { root, choice }) => [
      ...pieces(text).map((content) => chunk({ content })),
      chunk({}, choice),
      { data: { object: 'chat.completion.chunk', choices: [], ...root } },
    ],
    'nulls-in-deltas': ({ text }, { root, choice }) => [
      chunk({ role: 'assistant', content: null, refusal: null }, ...NULLS),
      ...pieces(text).map((content) => chunk({ content, refusal: null }, ...NULLS)),
      chunk({ content: null }, { logprobs: null, ...choice }, root),
    ],
  }),
  'named-events': {
    ...UNREAD_BY_CLIENT,
    events: ({ id, text }, { root, choice }) => [
      { name: 'started', data: { id } },
      ...pieces(text).map((piece) => ({ name: 'delta', data: { text: piece } })),
      { name: 'completed', data: { ...choice, ...root } },
    ],
  },
  'stream-of-json-strings': {
    unreadable: ['RES-3', 'RES-4', 'STR-2', 'STR-3', 'VER-2'],
    events: ({ text }, { root, choice }) => [
      ...pieces(text).map((piece) => ({ data: JSON.stringify(piece) })),
      { data: { ...choice, ...root } },
    ],
  },

  // Their frames
  'cr-events': { frameEvent: ({ name, data }) => `${linesOf(name, data).join('\r')}\r` },
  'comments-and-ids-of-events': {
    frameEvent: ({ name = 'message', data }, index) =>
      `: a comment\nid: ${index}\n${linesOf(name, data).join('\n')}\n:\n\n`,
    streamEdges: [': welcome\n\nretry: 3000\n\n', ': goodbye'],
  },
  'byte-order-mark': { streamEdges: ['\ufeff', ''] },

  // The end
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
  // Long, too: of no other service is it as hard to tell that it buffers (STR-2).
  'slow-but-buffered-in-chunks': {
    latencyMs: () => 90,
    delivery: 'chunked',
    generate: (most, _, countTokens) => {
      const words = Array.from({ length: most }, (__, i) => `word${i}`);
      return upTo(most, words, ' ', countTokens);
    },
  },
  'slow-refusals': { refusalLatencyMs: 20 },
  'two-at-a-time': { concurrency: 2, retryAfter: () => '0', latencyMs: () => 5 },
};
