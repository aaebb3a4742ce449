import type { RefusalKind } from './refusal.ts';

/** Any JSON value. */
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

/** A model as the models endpoint lists it. */
export interface ListedModel {
  readonly id: string;
  readonly facts: JsonObject;
}

/** The answer of a model. */
export interface Generation {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  /** As the response spells it. */
  readonly finish: string;
  readonly input: number;
  readonly output: number;
}

/** Members of a completion, by where they stand in it. */
export interface CompletionMembers {
  readonly root?: JsonObject;
  readonly choice?: JsonObject;
  readonly message?: JsonObject;
}

export interface ServerSentEvent {
  readonly name?: string;
  /** A string is sent as it is, anything else as JSON. */
  readonly data: Json;
}

/** A whole response. */
export interface Page {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** What an application error says, before it has a shape. */
export interface ErrorFacts {
  readonly code: Json;
  readonly message: string;
  readonly requestId: string | number;
  readonly status: number;
  /** The path and the query, as they came. */
  readonly address: string;
}

/** Everything that the specification leaves open. */
export interface Choices {
  readonly models: readonly Model[];
  /** Milliseconds for a completion. */
  readonly latencyMs: (model: Model) => number;
  /** Completions under way for one key, at most. */
  readonly concurrency: number;
  /** The `Retry-After` of a rate limit error. */
  readonly retryAfter: () => string;
  readonly bodyBytes: number;
  readonly countTokens: (text: string) => number;
  /** Generates a text of at most `most` tokens by `countTokens`; `draw` returns numbers below 1, which differ between chats. */
  readonly generate: (most: number, draw: () => number, countTokens: (text: string) => number) => string;
  /** Tokens that a model spends, unseen, before it writes. */
  readonly thinkingTokens: number;

  readonly temperature: readonly [least: number, most: number];
  readonly maxTokens: readonly [least: number, most: number];
  /** Without `max_tokens`. */
  readonly defaultMaxTokens: number;
  readonly contentType: 'any' | 'json';
  /** A message as the service takes it: before it is checked, a member may be dropped or added. */
  readonly messageOf: (message: JsonObject) => JsonObject;
  /** Why messages are refused beyond the rules of the specification; undefined: they are not. */
  readonly messageProblem: (messages: readonly JsonObject[]) => string | undefined;
  readonly emptyContent: 'refused' | 'served';
  readonly isImagePart: (part: JsonObject) => boolean;
  readonly textParts: 'refused' | 'served';
  readonly missingKey: 'served' | 'refused';
  readonly repeatedKey: 'ignored' | 'replayed' | 'refused';

  readonly status: (kind: RefusalKind) => number;
  readonly code: (kind: RefusalKind) => Json;
  readonly requestId: (count: number) => string | number;
  readonly errorBody: (told: ErrorFacts) => Json;
  readonly errorType: string;
  /** The response on other paths and methods; undefined: an application error. */
  readonly elsewhere: (status: number) => Page | undefined;

  readonly modelFacts: (model: Model) => JsonObject;
  readonly modelList: (models: readonly ListedModel[]) => Json;
  readonly vision: (models: readonly Model[]) => Json;
  /** The finish reasons of a complete text, and of one that reached its maximum. */
  readonly finishReasons: Readonly<Record<'stop' | 'length', string>>;
  readonly finish: (reason: string) => CompletionMembers;
  readonly usage: (generation: Generation) => CompletionMembers;
  readonly completion: (generation: Generation, members: Required<CompletionMembers>) => JsonObject;
  readonly events: (
    generation: Generation,
    members: Required<CompletionMembers>,
  ) => readonly ServerSentEvent[];
  readonly lastEvent: ServerSentEvent | undefined;
  readonly frameEvent: (event: { readonly name?: string; readonly data: string }, index: number) => string;
  /** What is sent before the first event and after the last one. */
  readonly streamEdges: readonly [before: string, after: string];

  readonly stringify: (value: Json) => string;
  readonly jsonType: string;
  readonly streamType: string;
  readonly headers: (requestId: string | number) => Readonly<Record<string, string | string[]>>;
  readonly delivery: 'whole' | 'chunked' | 'in-small-pieces';
  /** The compression of a response, by the `Accept-Encoding` of its request. */
  readonly compresses: (acceptEncoding: string | undefined) => 'gzip' | 'br' | undefined;
  /** Milliseconds before a refusal. */
  readonly refusalLatencyMs: number;
  /** Milliseconds between comments while a stream waits for its model; 0: no comments. */
  readonly heartbeatMs: number;
}
