import type { RefusalKind } from './refusal.ts';

export interface Model {
  readonly id: string;
  /** Tokens of input and requested output together. */
  readonly context: number;
  /** Credits a token, input and output alike. */
  readonly price: number;
  readonly vision: boolean;
}

/** A model as the models endpoint lists it. */
export interface Listed {
  readonly id: string;
  readonly facts: JsonMembers;
}

/** An application error before it has a shape. */
export interface Told {
  readonly kind: RefusalKind;
  readonly code: Json;
  readonly message: string;
  readonly requestId: string | number;
  readonly status: number;
  readonly path: string;
}

/** What the model made of a chat. */
export interface Made {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  /** As the answer spells it. */
  readonly finish: string;
  readonly input: number;
  readonly output: number;
}

/** Members that say one thing of a completion, by where they stand in it. */
export interface Said {
  readonly root?: JsonMembers;
  readonly choice?: JsonMembers;
  readonly message?: JsonMembers;
}

export interface ServerSentEvent {
  readonly name?: string;
  /** Text is sent as it is, anything else as JSON. */
  readonly data: Json;
}

/** A page that is no application error, as routers and gateways have them. */
export interface Page {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Everything the specification does not show, and so leaves to whoever serves it. */
export interface Choices {
  readonly models: readonly Model[];
  /** What the second key may use. */
  readonly secondModels: readonly Model[];
  /** The context of a model, in place of its own. */
  readonly contextOf: (model: Model) => number;
  /** Milliseconds that a completion takes. */
  readonly takes: (model: Model) => number;
  /** Completions under way for one key. */
  readonly concurrency: number;
  /** What a rate limit error says in `Retry-After`; undefined: nothing. */
  readonly retryAfter: () => string | undefined;
  readonly bodyBytes: number;
  readonly credits: number;
  readonly countTokens: (text: string) => number;
  /** What the model says, of at most so many tokens by `countTokens`; `draw` is below 1, and tells chats apart. */
  readonly speak: (most: number, draw: () => number, countTokens: (text: string) => number) => string;

  readonly temperature: readonly [least: number, most: number];
  readonly maxTokens: readonly [least: number, most: number];
  /** Where `max_tokens` is absent. */
  readonly usualMaxTokens: number;
  readonly contentType: 'any' | 'json';
  /** Why a list of messages or one of them is refused, beyond what the specification says; undefined: it is not. */
  readonly objection: (messages: readonly JsonMembers[]) => string | undefined;
  readonly extraMessageFields: 'refused' | 'ignored';
  readonly emptyList: 'refused' | 'served';
  readonly emptyContent: 'refused' | 'served';
  readonly isImagePart: (part: JsonMembers) => boolean;
  readonly textParts: 'refused' | 'served';
  readonly missingKey: 'served' | 'refused';
  readonly repeatedKey: 'ignored' | 'replayed' | 'refused';

  readonly status: (kind: RefusalKind) => number;
  readonly code: (kind: RefusalKind) => Json;
  readonly requestId: (count: number) => string | number;
  readonly errorBody: (told: Told) => Json;
  readonly errorType: string;
  /** For other paths and methods; undefined: an application error like any other. */
  readonly elsewhere: (kind: 'no_such_path' | 'wrong_method') => Page | undefined;

  readonly modelFacts: (model: Model) => JsonMembers;
  readonly modelList: (models: readonly Listed[]) => Json;
  readonly vision: (models: readonly Model[]) => Json;
  /** How it is spelt that the model had said all, and that it reached its maximum. */
  readonly finishReasons: Readonly<Record<'stop' | 'length', string>>;
  readonly finish: (reason: Made['finish']) => Said;
  readonly usage: (made: Made) => Said;
  readonly completion: (made: Made, said: Required<Said>) => JsonMembers;
  readonly events: (made: Made, said: Required<Said>) => readonly ServerSentEvent[];
  readonly lastEvent: ServerSentEvent | undefined;
  readonly frame: (event: { readonly name?: string; readonly data: string }, index: number) => string;
  /** Before the first event, and after the last one. */
  readonly around: readonly [before: string, after: string];

  readonly stringify: (value: Json) => string;
  readonly jsonType: string;
  readonly streamType: string;
  readonly headers: (requestId: string | number) => Readonly<Record<string, string | string[]>>;
  readonly delivery: 'whole' | 'chunked' | 'in-small-pieces';
  /** Whether an answer is compressed, by what the request says that it accepts. */
  readonly compresses: (acceptEncoding: string | undefined) => 'gzip' | 'br' | undefined;
  /** Milliseconds before a refusal. */
  readonly refusalTakes: number;
  /** Milliseconds between comments while a stream waits for its model; 0: none. */
  readonly heartbeat: number;
}

/** Whatever JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object. */
export type JsonMembers = { readonly [name: string]: Json };

export function isMembers(value: Json | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
