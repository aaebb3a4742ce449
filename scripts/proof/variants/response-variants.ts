import { type Choices, CONVENTION, upTo } from '../second-service/convention.ts';
import { type Variants, variantsOf } from './variant.ts';

/** Generates the same text always, as much of it as allowed. */
const saying =
  (text: string): Choices['generate'] =>
  (most, _draw, countTokens) =>
    upTo(most, Array.from(text), '', countTokens);

export const RESPONSE_VARIANTS: Variants = {
  // The finish reason
  'finish-reasons-of-its-own': { finishReasons: { stop: 'COMPLETE', length: 'MAX_OUTPUT' } },

  // Usage
  'usage-at-the-root': {
    usage: ({ input, output }) => ({ prompt_tokens: input, completion_tokens: output }),
  },
  'usage-in-credits': {
    unreadable: ['RES-5'],
    usage: ({ input, output }) => ({ usage: { credits: (input + output) / 1000 } }),
  },
  'usage-in-other-words': {
    unreadable: ['RES-4', 'RES-5'],
    usage: ({ input, output }) => ({ verbrauch: { rein: input, raus: output } }),
  },

  // The completion
  ...variantsOf('completion', {
    'least-fields': ({ text }, { root, choice }) => ({
      choices: [{ message: { content: text }, ...choice }],
      ...root,
    }),
    'empty-error-beside': (generation, members) => ({
      error: null,
      ...CONVENTION.completion(generation, members),
    }),
  }),

  // What the model says
  'silent-model': { untestable: ['SVC-1', 'RES-2', 'STR-3'], generate: () => '' },
  'model-thinks-first': { thinkingTokens: 60 },
  ...variantsOf('generate', {
    'model-says-errors': saying('{"error":{"code":"rate_limit","message":"Too many requests."}}'),
    'model-says-events': saying('data: [DONE]\n\nevent: error\ndata: {"error":1}\n\n'),
    'model-says-odd-characters': saying('\u0000\u2028\ufeff💥\u0085 fin'),
    'model-says-one-word': saying('x'.repeat(200)),
  }),

  // What a token is
  ...variantsOf('countTokens', {
    'bytes-are-tokens': (text) => Buffer.byteLength(text),
    'words-are-tokens': (text) => text.match(/\S+/g)?.length ?? 0,
  }),

  // How JSON is written
  'pretty-json': { stringify: (value) => `\r\n${JSON.stringify(value, undefined, '\t')}\r\n` },
};
