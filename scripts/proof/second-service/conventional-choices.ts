import {
  type Choices,
  type Generation,
  type Model,
  type CompletionMembers,
  type ServerSentEvent,
  isJsonObject,
} from './choices.ts';
import { REFUSALS } from './reply.ts';

const TERN: Model = { id: 'tern', context: 1024, price: 1, vision: false };
const SKUA: Model = { id: 'skua', context: 4096, price: 4, vision: false };
const OWL: Model = { id: 'owl', context: 2048, price: 3, vision: true };
const PLOVER: Model = { id: 'plover', context: 2048, price: 2, vision: false };

const WORDS = ['oak', 'river', 'stone', 'lamp', 'Wärme', 'north', 'seven', 'paper', '青い', 'moss'];
const MOST_WORDS = 40;

function generate(most: number, draw: () => number, countTokens: (text: string) => number): string {
  let text = '';
  for (let left = 3 + Math.floor(draw() * MOST_WORDS); left > 0; left--) {
    const longer = `${text}${text && ' '}${WORDS[Math.floor(draw() * WORDS.length)] ?? ''}`;
    if (countTokens(longer) > most) break;
    text = longer;
  }
  return text;
}

/** Splits a text before each word. */
export function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The lines of an event, with the blank one at its end. */
export function linesOf(name: string | undefined, data: string): readonly string[] {
  const named = name === undefined ? [] : [`event: ${name}`];
  return [...named, ...data.split(/\r\n|\n|\r/).map((line) => `data: ${line}`), ''];
}

function chunks(generation: Generation, members: Required<CompletionMembers>): readonly ServerSentEvent[] {
  const chunk = (
    delta: CompletionMembers['message'] = {},
    choice: CompletionMembers['choice'] = {},
    root: CompletionMembers['root'] = {},
  ) => ({
    data: {
      id: generation.id,
      object: 'chat.completion.chunk',
      model: generation.model,
      choices: [{ index: 0, delta, finish_reason: null, ...choice }],
      ...root,
    },
  });
  return [
    // Nothing says of a text that nobody sees that it is empty.
    chunk({ role: 'assistant' }),
    ...pieces(generation.text).map((content) => chunk({ content })),
    chunk(members.message, members.choice, members.root),
  ];
}

/** The common convention: what each variant departs from in its point. */
export const CONVENTIONAL_CHOICES: Choices = {
  models: [TERN, SKUA, OWL],
  secondModels: [TERN, PLOVER],
  contextOf: ({ context }) => context,
  // One model is slow, so that the delivery of its streams can be observed and its requests overlap.
  latencyMs: ({ id }) => (id === SKUA.id ? 80 : 0),
  concurrency: 24,
  retryAfter: () => '1',
  bodyBytes: 4_000_000,
  credits: 1_000_000_000,
  countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 4),
  generate,

  thinkingTokens: 0,
  temperature: [0, 2],
  maxTokens: [1, Number.MAX_SAFE_INTEGER],
  defaultMaxTokens: 64,
  contentType: 'any',
  messageProblem: () => undefined,
  extraMessageFields: 'refused',
  emptyList: 'refused',
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
  events: chunks,
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
