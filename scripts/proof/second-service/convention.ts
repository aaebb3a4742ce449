/** The reasons for a refusal, each with its conventional status. */
export const REFUSALS = {
  malformed: 400,
  wrong_value: 400,
  unknown_field: 400,
  wrong_image: 400,
  token_limit: 400,
  no_credential: 401,
  wrong_credential: 401,
  no_credits: 402,
  no_scope: 403,
  no_such_path: 404,
  no_such_model: 404,
  wrong_method: 405,
  key_used: 409,
  too_many_bytes: 413,
  wrong_type: 415,
  throttled: 429,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof REFUSALS;

/** Ends the handling of a request with an application error, which consumes nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refuse(kind: RefusalKind, message: string): never {
  throw new Refusal(kind, message);
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Model {
  readonly id: string;
  /** Tokens of input and requested output together. */
  readonly context: number;
  /** Credits a token, input and output alike. */
  readonly price: number;
  readonly vision: boolean;
}

export interface ListedModel {
  readonly id: string;
  readonly facts: JsonObject;
}

export interface Generation {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  /** As the response spells it. */
  readonly finish: string;
  readonly input: number;
  readonly output: number;
}

/** What a completion says beside its text: the finish reason in its choice, and the usage at its root. */
export interface CompletionMembers {
  readonly root: JsonObject;
  readonly choice: JsonObject;
}

interface ServerSentEvent {
  readonly name?: string;
  /** A string is sent as it is, anything else as JSON. */
  readonly data: Json;
}

/** A whole response. */
export interface Page {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an application error says, before it has a shape. */
interface ErrorFacts {
  readonly code: Json;
  readonly message: string;
  readonly id: string | number;
  readonly status: number;
  /** The path and the query, as they came. */
  readonly address: string;
}

type Bounds = readonly [least: number, most: number];

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

/** As many parts of a text, from its beginning, as have at most so many tokens. */
export function upTo(
  most: number,
  parts: readonly string[],
  joint: string,
  countTokens: (text: string) => number,
) {
  const kept = [...parts];
  while (countTokens(kept.join(joint)) > most) kept.pop();
  return kept.join(joint);
}

/** An event with a part of a message, and what stands beside it in its choice and at the root. */
export function chunk(delta: JsonObject, choice: JsonObject = {}, root: JsonObject = {}) {
  return { data: { object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...choice }], ...root } };
}

/** Everything that the specification leaves open. */
export type Choices = Readonly<typeof CONVENTION>;

/** The common convention: what each variant departs from. */
export const CONVENTION = {
  models: [TERN, SKUA, OWL] as readonly Model[],
  /** Milliseconds for a completion. One model is slow, so that its streams can be observed and its requests overlap. */
  latencyMs: ({ id }: Model): number => (id === SKUA.id ? 80 : 0),
  /** Completions under way for one key, at most. */
  concurrency: 8,
  /** The `Retry-After` of a rate limit error. */
  retryAfter: (): string => '1',
  bodyBytes: 4_000_000,
  countTokens: (text: string): number => Math.ceil(Buffer.byteLength(text) / 4),
  /** Generates a text of at most `most` tokens; `draw` returns numbers below 1, which differ between chats. */
  generate: (most: number, draw: () => number, countTokens: (text: string) => number): string => {
    const length = 3 + Math.floor(draw() * MOST_WORDS);
    const words = Array.from({ length }, () => WORDS[Math.floor(draw() * WORDS.length)] ?? '');
    return upTo(most, words, ' ', countTokens);
  },
  /** Tokens that a model spends, unseen, before it writes. */
  thinkingTokens: 0,

  temperature: [0, 2] as Bounds,
  maxTokens: [1, Number.MAX_SAFE_INTEGER] as Bounds,
  /** Of an optional field. */
  nullMeans: 'wrong' as 'wrong' | 'absent',
  contentType: 'any' as 'any' | 'json',
  /** A message as the service takes it: before it is checked, a member may be dropped or added. */
  messageOf: (message: JsonObject): JsonObject => message,
  /** Why messages are refused beyond the rules of the specification; undefined: they are not. */
  messageProblem: ({ length }: readonly JsonObject[]): string | undefined =>
    length === 0 ? 'messages is empty' : undefined,
  emptyContent: 'refused' as 'refused' | 'served',
  isImagePart: ({ type, image_url: image }: JsonObject): boolean =>
    type === 'image_url' && isJsonObject(image) && typeof image['url'] === 'string',
  textParts: 'refused' as 'refused' | 'served',

  status: (kind: RefusalKind): number => REFUSALS[kind],
  code: (kind: RefusalKind): Json => kind,
  requestId: (count: number): string | number => `req-${count.toString(36).padStart(6, '0')}`,
  errorBody: ({ code, message, id }: ErrorFacts): Json => ({ error: { code, message, request_id: id } }),
  errorType: 'application/json',
  /** The response on other paths and methods; undefined: an application error. */
  elsewhere: (_status: number): Page | undefined => undefined,

  modelFacts: ({ context, price }: Model): JsonObject => ({
    context_window: context,
    pricing: { input: price, output: price },
  }),
  modelList: (models: readonly ListedModel[]): Json => ({
    object: 'list',
    data: models.map(({ id, facts }) => ({ id, object: 'model', ...facts })),
  }),
  vision: (models: readonly Model[]): Json => ({ data: models.map(({ id, vision }) => ({ id, vision })) }),
  /** The finish reasons of a complete text, and of one that reached its maximum. */
  finishReasons: { stop: 'stop', length: 'length' },
  usage: ({ input, output }: Generation): JsonObject => ({
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }),
  completion: ({ id, model, text }: Generation, { root, choice }: CompletionMembers): JsonObject => ({
    id,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, ...choice }],
    ...root,
  }),
  events: (
    { id, model, text }: Generation,
    { root, choice }: CompletionMembers,
  ): readonly ServerSentEvent[] => {
    const open = (delta: JsonObject) => chunk(delta, { finish_reason: null }, { id, model });
    // Nothing says of a text that nobody sees that it is empty.
    const words = pieces(text).map((content) => open({ content }));
    return [open({ role: 'assistant' }), ...words, chunk({}, choice, { id, model, ...root })];
  },
  lastEvent: { data: '[DONE]' } as ServerSentEvent,
  frameEvent: ({ name, data }: { readonly name?: string; readonly data: string }, _index: number): string =>
    `${linesOf(name, data).join('\n')}\n`,
  /** What is sent before the first event and after the last one. */
  streamEdges: ['', ''] as readonly [before: string, after: string],

  stringify: (value: Json): string => JSON.stringify(value),
  jsonType: 'application/json',
  streamType: 'text/event-stream',
  headers: (_requestId: string | number): Readonly<Record<string, string | string[]>> => ({}),
  delivery: 'whole' as 'whole' | 'chunked',
  /** Whether a response is compressed, by the `Accept-Encoding` of its request. */
  compresses: (_acceptEncoding: string | undefined): boolean => false,
  refusalLatencyMs: 0,
  /** Milliseconds between comments while a stream waits for its model; 0: no comments. */
  heartbeatMs: 0,
};
