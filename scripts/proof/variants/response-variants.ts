import type { Choices } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import { variant, type Variants } from './variant.ts';

export const FINISH_REASONS = {
  'finish-as-stop-reason': variant('calls the finish reason stop_reason', {
    untestable: ['VER-2'],
    finish: (reason) => ({ choice: { stop_reason: reason } }),
  }),
  'finish-at-the-root': variant('puts finishReason beside the choices', {
    untestable: ['VER-2'],
    finish: (reason) => ({ root: { finishReason: reason } }),
  }),
  'finish-in-the-message': variant('puts the finish reason into the message', {
    untestable: ['VER-2'],
    finish: (reason) => ({ message: { finish_reason: reason } }),
  }),
  'finish-as-details': variant('returns the finish reason as an object of details', {
    untestable: ['VER-2'],
    unreadable: ['RES-5'],
    finish: (reason) => ({ choice: { finish_details: { type: reason } } }),
  }),
  'finish-deep-down': variant('puts the finish reason into the metadata of the choice', {
    untestable: ['VER-2'],
    finish: (reason) => ({ choice: { metadata: { end: { stopReason: reason } } } }),
  }),
  'finish-in-other-words': variant('uses an unusual name for the finish reason', {
    untestable: ['VER-2'],
    unreadable: ['RES-3', 'RES-5'],
    finish: (reason) => ({ choice: { ende: reason } }),
  }),
  'finish-beside-a-status': variant(
    'adds a status of success, and uses an unusual name for the finish reason',
    {
      untestable: ['VER-2'],
      unreadable: ['RES-3', 'RES-5'],
      finish: (reason) => ({ root: { status: 'success' }, choice: { ende: reason } }),
    },
  ),
} satisfies Variants;

export const USAGES = {
  'usage-in-camel-case': variant('returns inputTokens and outputTokens, without a total', {
    usage: ({ input, output }) => ({ root: { usage: { inputTokens: input, outputTokens: output } } }),
  }),
  'usage-at-the-root': variant('puts the token counts beside the choices', {
    usage: ({ input, output }) => ({ root: { prompt_tokens: input, completion_tokens: output } }),
  }),
  'usage-in-metadata': variant('puts usage, with details, into metadata', {
    usage: ({ input, output }) => ({
      root: {
        metadata: {
          usage: { input_tokens: input, output_tokens: output, output_tokens_details: { reasoning: 0 } },
        },
      },
    }),
  }),
  'usage-in-the-choice': variant('puts usage into the choice', {
    usage: ({ input, output }) => ({
      choice: { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } },
    }),
  }),
  'usage-in-credits': variant('reports credits instead of tokens', {
    unreadable: ['RES-5'],
    usage: ({ input, output }) => ({ root: { usage: { credits: (input + output) / 1000 } } }),
  }),
  'usage-as-input-and-output': variant('reports usage as input and output', {
    usage: ({ input, output }) => ({ root: { usage: { input, output } } }),
  }),
  'usage-in-other-words': variant('uses unusual names for usage and its counts', {
    unreadable: ['RES-4', 'RES-5'],
    usage: ({ input, output }) => ({ root: { verbrauch: { rein: input, raus: output } } }),
  }),
} satisfies Variants;

export const COMPLETIONS = {
  'least-fields': variant('returns choices with what the specification requires, and nothing else', {
    completion: ({ text }, { root, choice, message }) => ({
      choices: [{ message: { content: text, ...message }, ...choice }],
      ...root,
    }),
  }),
  'many-fields': variant('returns many more fields, nulls and empty lists, in another order', {
    completion: ({ id, model, text }, { root, choice, message }) => ({
      warnings: [],
      ...root,
      service_tier: null,
      choices: [
        {
          ...choice,
          logprobs: null,
          message: { ...message, refusal: null, annotations: [], content: text, role: 'assistant' },
          index: 0,
        },
      ],
      extra: { a: [1, { b: null }] },
      model: `${model}@7`,
      id,
    }),
  }),
  'empty-error-beside': variant('adds an error of null beside the choices', {
    completion: (generation, members) => ({
      error: null,
      ...CONVENTIONAL_CHOICES.completion(generation, members),
    }),
  }),
} satisfies Variants;

/** Generates the same text always, as much of it as allowed. */
const saying =
  (text: string): Choices['generate'] =>
  (most, _draw, countTokens) => {
    const characters = Array.from(text);
    while (countTokens(characters.join('')) > most) characters.pop();
    return characters.join('');
  };

export const TEXTS = {
  'silent-model': variant('has a model that generates nothing', {
    untestable: ['SVC-1', 'RES-2', 'STR-3'],
    generate: () => '',
  }),
  'model-thinks-first': variant('has models that spend 60 tokens unseen before they write', {
    clause: 'REQ-9',
    thinkingTokens: 60,
  }),
  'model-says-errors': variant('generates text that looks like an error object', {
    generate: saying('{"error":{"code":"rate_limit","message":"Too many requests."}}'),
  }),
  'model-says-events': variant('generates text that looks like an event stream', {
    generate: saying('data: [DONE]\n\nevent: error\ndata: {"error":1}\n\n'),
  }),
  'model-says-odd-characters': variant('generates control characters and four-byte characters', {
    generate: saying('\u0000\u2028\ufeff💥\u0085 fin'),
  }),
  'model-says-one-word': variant('generates one long word, to the last token', {
    generate: saying('x'.repeat(200)),
  }),
} satisfies Variants;

export const TOKEN_COUNTS = {
  'bytes-are-tokens': variant('counts each byte as a token', {
    countTokens: (text) => Buffer.byteLength(text),
  }),
  'words-are-tokens': variant('counts each word as a token', {
    countTokens: (text) => text.match(/\S+/g)?.length ?? 0,
  }),
} satisfies Variants;

const COUNT = /("\w*tokens?\w*"|"(?:input|output)Tokens"):(\d+)/g;

export const JSON_TEXTS = {
  'pretty-json': variant('indents its JSON, with CRLF around it', {
    stringify: (value) => `\r\n${JSON.stringify(value, undefined, '\t')}\r\n`,
  }),
  'ascii-json': variant('escapes every non-ASCII character in its JSON', {
    stringify: (value) =>
      JSON.stringify(value).replaceAll(
        /[\u0080-\uffff]/g,
        (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  }),
  'decimal-counts': variant('writes token counts with a decimal point: 12.0', {
    stringify: (value) => JSON.stringify(value).replaceAll(COUNT, '$1:$2.0'),
  }),
  'exponential-counts': variant('writes token counts with an exponent: 12e0', {
    stringify: (value) => JSON.stringify(value).replaceAll(COUNT, '$1:$2e0'),
  }),
} satisfies Variants;
