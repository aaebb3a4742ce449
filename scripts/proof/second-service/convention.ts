import { type Choices, isJsonObject, type JsonObject, type Model } from './choices.ts';
import { REFUSALS } from './refusal.ts';

const TERN: Model = { id: 'tern', context: 1024, price: 1, vision: false };
const SKUA: Model = { id: 'skua', context: 4096, price: 4, vision: false };
const OWL: Model = { id: 'owl', context: 2048, price: 3, vision: true };

const WORDS = ['oak', 'river', 'stone', 'lamp', 'Wärme', 'north', 'seven', 'paper', '青い', 'moss'];
const MOST_WORDS = 40;

/** Splits a text before each word. */
export function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The lines of an event, with the blank one at its end. */
export function linesOf(name: string | undefined, data: string): readonly string[] {
  const named = name === undefined ? [] : [`event: ${name}`];
  return [...named, ...data.split(/\r\n|\n|\r/).map((line) => `data: ${line}`), ''];
}

/** The common convention: what each variant departs from. */
export const CONVENTION: Choices = {
  models: [TERN, SKUA, OWL],
  // One model is slow, so that the delivery of its streams can be observed and its requests overlap.
  latencyMs: ({ id }) => (id === SKUA.id ? 80 : 0),
  concurrency: 8,
  retryAfter: () => '1',
  bodyBytes: 4_000_000,
  countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 4),
  generate: (most, draw, countTokens) => {
    let text = '';
    for (let left = 3 + Math.floor(draw() * MOST_WORDS); left > 0; left--) {
      const longer = `${text}${text && ' '}${WORDS[Math.floor(draw() * WORDS.length)] ?? ''}`;
      if (countTokens(longer) > most) break;
      text = longer;
    }
    return text;
  },
  thinkingTokens: 0,

  temperature: [0, 2],
  maxTokens: [1, Number.MAX_SAFE_INTEGER],
  defaultMaxTokens: 64,
  contentType: 'any',
  messageOf: (message) => message,
  messageProblem: ({ length }) => (length === 0 ? 'messages is empty' : undefined),
  emptyContent: 'refused',
  isImagePart: ({ type, image_url: image }) =>
    type === 'image_url' && isJsonObject(image) && typeof image['url'] === 'string',
  textParts: 'refused',
  missingKey: 'served',
  repeatedKey: 'replayed',

  status: (kind) => REFUSALS[kind],
  code: (kind) => kind,
  requestId: (count) => `req-${count.toString(36).padStart(6, '0')}`,
  errorBody: ({ code, message, requestId }) => ({ error: { code, message, request_id: requestId } }),
  errorType: 'application/json',
  elsewhere: () => undefined,

  modelFacts: ({ context, price }) => ({ context_window: context, pricing: { input: price, output: price } }),
  modelList: (models) => ({
    object: 'list',
    data: models.map(({ id, facts }) => ({ id, object: 'model', ...facts })),
  }),
  vision: (models) => ({ data: models.map(({ id, vision }) => ({ id, vision })) }),
  finishReasons: { stop: 'stop', length: 'length' },
  finish: (reason) => ({ choice: { finish_reason: reason } }),
  usage: ({ input, output }) => ({
    root: { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } },
  }),
  completion: ({ id, model, text }, { root, choice, message }) => ({
    id,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text, ...message }, ...choice }],
    ...root,
  }),
  events: ({ id, model, text }, { root, choice, message }) => {
    const chunk = (delta: JsonObject, more: JsonObject = {}, rest: JsonObject = {}) => ({
      data: {
        id,
        object: 'chat.completion.chunk',
        model,
        choices: [{ index: 0, delta, finish_reason: null, ...more }],
        ...rest,
      },
    });
    // Nothing says of a text that nobody sees that it is empty.
    const words = pieces(text).map((content) => chunk({ content }));
    return [chunk({ role: 'assistant' }), ...words, chunk(message, choice, root)];
  },
  lastEvent: { data: '[DONE]' },
  frameEvent: ({ name, data }) => `${linesOf(name, data).join('\n')}\n`,
  streamEdges: ['', ''],

  stringify: (value) => JSON.stringify(value),
  jsonType: 'application/json',
  streamType: 'text/event-stream',
  headers: () => ({}),
  delivery: 'whole',
  compresses: () => undefined,
  refusalLatencyMs: 0,
  heartbeatMs: 0,
};
