import type {
  COMPLETIONS,
  FINISH_REASONS,
  JSON_TEXTS,
  TEXTS,
  TOKEN_COUNTS,
  USAGES,
} from './sentences/response-variants.ts';
import type { Choices, Made, Said } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';

type ChoicesOf<T> = Readonly<Record<keyof T, Partial<Choices>>>;

const finished = (finish: (reason: Made['finish']) => Said): Partial<Choices> => ({ finish });
const used = (usage: (made: Made) => Said): Partial<Choices> => ({ usage });

export const FINISH_REASON_CHOICES: ChoicesOf<typeof FINISH_REASONS> = {
  'finish-as-stop-reason': finished((reason) => ({ choice: { stop_reason: reason } })),
  'finish-at-the-root': finished((reason) => ({ root: { finishReason: reason } })),
  'finish-in-the-message': finished((reason) => ({ message: { finish_reason: reason } })),
  'finish-as-details': finished((reason) => ({ choice: { finish_details: { type: reason } } })),
  'finish-deep-down': finished((reason) => ({ choice: { metadata: { end: { stopReason: reason } } } })),
  'finish-in-other-words': finished((reason) => ({ choice: { ende: reason } })),
  'finish-beside-a-status': finished((reason) => ({ root: { status: 'success' }, choice: { ende: reason } })),
};

export const USAGE_CHOICES: ChoicesOf<typeof USAGES> = {
  'usage-in-camel-case': used(({ input, output }) => ({
    root: { usage: { inputTokens: input, outputTokens: output } },
  })),
  'usage-at-the-root': used(({ input, output }) => ({
    root: { prompt_tokens: input, completion_tokens: output },
  })),
  'usage-in-metadata': used(({ input, output }) => ({
    root: {
      metadata: {
        usage: { input_tokens: input, output_tokens: output, output_tokens_details: { reasoning: 0 } },
      },
    },
  })),
  'usage-in-the-choice': used(({ input, output }) => ({
    choice: { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } },
  })),
  'usage-in-credits': used(({ input, output }) => ({
    root: { usage: { credits: (input + output) / 1000 } },
  })),
  'usage-in-other-words': used(({ input, output }) => ({
    root: { verbrauch: { rein: input, raus: output } },
  })),
};

export const COMPLETION_CHOICES: ChoicesOf<typeof COMPLETIONS> = {
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
    completion: (made, said) => ({ error: null, ...CONVENTIONAL_CHOICES.completion(made, said) }),
  },
};

/** A model that says always the same, as much of it as it may. */
const saying = (text: string): Partial<Choices> => ({
  speak: (most, _draw, countTokens) => {
    const characters = Array.from(text);
    while (countTokens(characters.join('')) > most) characters.pop();
    return characters.join('');
  },
});

export const TEXT_CHOICES: ChoicesOf<typeof TEXTS> = {
  'silent-model': { speak: () => '' },
  'model-says-errors': saying('{"error":{"code":"rate_limit","message":"Too many requests."}}'),
  'model-says-events': saying('data: [DONE]\n\nevent: error\ndata: {"error":1}\n\n'),
  'model-says-odd-characters': saying('\u0000\u2028\ufeff💥\u0085 fin'),
  'model-says-one-word': saying('x'.repeat(200)),
};

export const TOKEN_COUNT_CHOICES: ChoicesOf<typeof TOKEN_COUNTS> = {
  'bytes-are-tokens': { countTokens: (text) => Buffer.byteLength(text) },
  'words-are-tokens': { countTokens: (text) => text.match(/\S+/g)?.length ?? 0 },
};

const COUNT = /("\w*tokens?\w*"|"(?:input|output)Tokens"):(\d+)/g;

export const JSON_TEXT_CHOICES: ChoicesOf<typeof JSON_TEXTS> = {
  'pretty-json': { stringify: (value) => `\r\n${JSON.stringify(value, undefined, '\t')}\r\n` },
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
