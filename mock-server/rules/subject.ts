import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../protocol/request.ts';
import { SearchTime } from './bounded-expression.ts';

/** What is known of a request so far. A rule does not match what is not known yet. */
export interface Subject {
  readonly requestId: string;
  /** Equal for all requests of one connection. */
  readonly connection?: object;
  readonly headers?: IncomingHttpHeaders;
  readonly endpoint?: Endpoint;
  readonly idempotencyKey?: string | undefined;
  /** The name of the key. */
  readonly key?: string;
  readonly model?: string;
  readonly stream?: boolean;
  /** Of a valid chat: read where a rule asks for it. */
  readonly conversation?: Conversation;
  /** What is left of it, however often the rules are asked. */
  readonly time?: SearchTime;
}

/** What was said in a chat. */
export interface Conversation {
  /** As it was sent. */
  readonly sent: SentChat;
  /** The texts, for the part that a rule looks at. */
  readonly texts: Readonly<Record<ConversationPart, string>>;
  readonly digest: string;
}

/** The parts of a conversation that a rule can look at. */
export const TEXT_PARTS = ['user', 'system', 'all'] as const;

type ConversationPart = (typeof TEXT_PARTS)[number];

/** The members of a chat that decide its answer, beside the model. */
export interface SentChat {
  readonly messages: readonly SentMessage[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

interface SentMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: unknown }[];
}

/** A request before its endpoint is known. */
export function newSubject(
  requestId: string,
  received: Pick<Subject, 'connection' | 'headers' | 'idempotencyKey'> = {},
): Subject {
  return { requestId, ...received, time: new SearchTime() };
}

/** What a valid chat says. Reads each part once, when it is asked for. */
export function conversationOf(readChat: () => SentChat): Conversation {
  const read = once(readChat);
  const texts = once(() => textsOf(read().messages));
  const digest = once(() => digestOf(read()));
  return {
    get sent() {
      return read();
    },
    get texts() {
      return texts();
    },
    get digest() {
      return digest();
    },
  };
}

function once<Value>(read: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: read() }).value;
}

function textsOf(messages: readonly SentMessage[]): Conversation['texts'] {
  const user = messages.findLast(({ role }) => role === 'user');
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  return {
    user: user === undefined ? '' : textOf(user),
    system: system.join('\n'),
    all: messages.map(textOf).join('\n'),
  };
}

/** The text of a message; of one with parts, its texts line by line. */
export function textOf({ content }: Pick<SentMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

/** Equal for chats that say the same, in whatever order their members are. */
export function digestOf({ messages, temperature, max_tokens: maxTokens }: SentChat): string {
  return hash('sha256', JSON.stringify([sorted(messages), temperature ?? null, maxTokens ?? null]), 'hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, sorted(item)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
