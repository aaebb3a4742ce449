import type { Choices } from '../second-service/choices.ts';
import { CONVENTION } from '../second-service/convention.ts';
import type { Variants } from './variants.ts';

/** Generates the same text always, as much of it as allowed. */
const saying =
  (text: string): Choices['generate'] =>
  (most, _draw, countTokens) => {
    const characters = Array.from(text);
    while (countTokens(characters.join('')) > most) characters.pop();
    return characters.join('');
  };

const COUNT = /("\w*tokens?\w*"|"(?:input|output)Tokens"):(\d+)/g;

export const RESPONSE_VARIANTS: Variants = {
  // The finish reason
  'finish-as-stop-reason': {
    untestable: ['VER-2'],
    finish: (reason) => ({ choice: { stop_reason: reason } }),
  },
  'finish-at-the-root': { untestable: ['VER-2'], finish: (reason) => ({ root: { finishReason: reason } }) },
  'finish-in-the-message': {
    untestable: ['VER-2'],
    finish: (reason) => ({ message: { finish_reason: reason } }),
  },
  'finish-as-details': {
    untestable: ['VER-2'],
    unreadable: ['RES-5'],
    finish: (reason) => ({ choice: { finish_details: { type: reason } } }),
  },
  'finish-deep-down': {
    untestable: ['VER-2'],
    finish: (reason) => ({ choice: { metadata: { end: { stopReason: reason } } } }),
  },
  'finish-in-other-words': {
    untestable: ['VER-2'],
    unreadable: ['RES-3', 'RES-5'],
    finish: (reason) => ({ choice: { ende: reason } }),
  },
  'finish-reasons-of-its-own': { finishReasons: { stop: 'COMPLETE', length: 'MAX_OUTPUT' } },
  'finish-beside-a-status': {
    untestable: ['VER-2'],
    unreadable: ['RES-3', 'RES-5'],
    finish: (reason) => ({ root: { status: 'success' }, choice: { ende: reason } }),
  },

  // Usage
  'usage-in-camel-case': {
    usage: ({ input, output }) => ({ root: { usage: { inputTokens: input, outputTokens: output } } }),
  },
  'usage-at-the-root': {
    usage: ({ input, output }) => ({ root: { prompt_tokens: input, completion_tokens: output } }),
  },
  'usage-in-metadata': {
    usage: ({ input, output }) => ({
      root: {
        metadata: {
          usage: { input_tokens: input, output_tokens: output, output_tokens_details: { reasoning: 0 } },
        },
      },
    }),
  },
  'usage-in-the-choice': {
    usage: ({ input, output }) => ({
      choice: { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } },
    }),
  },
  'usage-in-credits': {
    unreadable: ['RES-5'],
    usage: ({ input, output }) => ({ root: { usage: { credits: (input + output) / 1000 } } }),
  },
  'usage-as-input-and-output': { usage: ({ input, output }) => ({ root: { usage: { input, output } } }) },
  'usage-in-other-words': {
    unreadable: ['RES-4', 'RES-5'],
    usage: ({ input, output }) => ({ root: { verbrauch: { rein: input, raus: output } } }),
  },

  // The completion
  'least-fields': {
    completion: ({ text }, { root, choice, message }) => ({
      choices: [{ message: { content: text, ...message }, ...choice }],
      ...root,
    }),
  },
  'many-fields': {
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
  },
  'empty-error-beside': {
    completion: (generation, members) => ({ error: null, ...CONVENTION.completion(generation, members) }),
  },

  // What the model says
  'silent-model': { untestable: ['SVC-1', 'RES-2', 'STR-3'], generate: () => '' },
  'model-thinks-first': { thinkingTokens: 60 },
  'model-says-errors': { generate: saying('{"error":{"code":"rate_limit","message":"Too many requests."}}') },
  'model-says-events': { generate: saying('data: [DONE]\n\nevent: error\ndata: {"error":1}\n\n') },
  'model-says-odd-characters': { generate: saying('\u0000\u2028\ufeff💥\u0085 fin') },
  'model-says-one-word': { generate: saying('x'.repeat(200)) },

  // What a token is
  'bytes-are-tokens': { countTokens: (text) => Buffer.byteLength(text) },
  'words-are-tokens': { countTokens: (text) => text.match(/\S+/g)?.length ?? 0 },

  // How JSON is written
  'pretty-json': {
    stringify: (value) => `\r\n${JSON.stringify(value, undefined, '\t')}\r\n`,
  },
  'ascii-json': {
    stringify: (value) =>
      JSON.stringify(value).replaceAll(
        /[\u0080-\uffff]/g,
        (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  },
  'decimal-counts': { stringify: (value) => JSON.stringify(value).replaceAll(COUNT, '$1:$2.0') },
  'exponential-counts': { stringify: (value) => JSON.stringify(value).replaceAll(COUNT, '$1:$2e0') },
};
