import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../protocol/answer.ts';

/** What is known of a request so far. A rule does not match what is not known yet. */
export interface Subject {
  readonly requestId: string;
  /** Equal for all requests of one connection. */
  readonly connection?: object;
  readonly headers?: IncomingHttpHeaders;
  readonly idempotencyKey?: string | undefined;
  readonly endpoint?: Endpoint;
  /** The name of the key. */
  readonly key?: string;
  readonly model?: string;
  readonly stream?: boolean;
  readonly sent?: SentChat;
}

/** The parts of a conversation that a rule can look at. */
export const TEXT_PARTS = ['user', 'system', 'all'] as const;

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

/** The text of the last user message, of the system messages, or of all; nothing as long as the chat is not known. */
export function textIn({ sent }: Subject, part: (typeof TEXT_PARTS)[number]): string {
  const messages = sent?.messages ?? [];
  const meant = part === 'all' ? messages : messages.filter(({ role }) => role === part);
  return (part === 'user' ? meant.slice(-1) : meant).map(textOf).join('\n');
}

/** The text of a message; of one with parts, its texts line by line. */
function textOf({ content }: Pick<SentMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

/** Those made before: a recording of many chats asks for that of each request again and again. */
const DIGESTS = new WeakMap<SentChat, string>();

/** Equal for chats that say the same, in whatever order their members are. */
export function digestOf(chat: SentChat): string {
  const { messages, temperature = null, max_tokens: maxTokens = null } = chat;
  const digest =
    DIGESTS.get(chat) ?? hash('sha256', JSON.stringify([sorted(messages), temperature, maxTokens]), 'hex');
  DIGESTS.set(chat, digest);
  return digest;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, sorted(item)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
