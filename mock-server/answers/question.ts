import { hash } from 'node:crypto';
import type { Endpoint } from '../protocol/request.ts';
import { SearchTime } from './bounded-expression.ts';

/** What a rule can see of a valid chat, or of a request to another endpoint, which says nothing. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** The name of the key. */
  readonly key: string;
  readonly stream: boolean;
  /** The texts of the conversation, for the part that a rule looks at. */
  readonly texts: Readonly<Record<ConversationPart, string>>;
  /** The chat as it was sent. */
  readonly sent: SentChat;
  /** Of the chat without model and stream; made only where a rule asks for it. */
  readonly digest: () => string;
  /** What is left of it, however often the rules are asked. */
  readonly time: SearchTime;
}

/** The parts of a conversation that a rule can look at. */
export const TEXT_PARTS = ['user', 'system', 'all'] as const;

export type ConversationPart = (typeof TEXT_PARTS)[number];

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

/** Reads the texts of a conversation whose JSON was found valid before. */
export function readQuestion(sent: SentChat, known: Pick<Question, 'model' | 'key' | 'stream'>): Question {
  let digest: string | undefined;
  return {
    endpoint: 'chat',
    ...known,
    sent,
    texts: textsOf(sent.messages),
    digest: () => (digest ??= digestOf(sent)),
    time: new SearchTime(),
  };
}

const NOTHING: Pick<Question, 'model' | 'stream' | 'texts' | 'sent' | 'digest'> = {
  model: '',
  stream: false,
  texts: { user: '', system: '', all: '' },
  sent: { messages: [] },
  digest: () => '',
};

/** A request that has no body. `key` is the name of the key. */
export function readingQuestion(endpoint: Exclude<Endpoint, 'chat'>, key: string): Question {
  return { ...NOTHING, endpoint, key, time: new SearchTime() };
}

function textsOf(messages: readonly SentMessage[]): Question['texts'] {
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
