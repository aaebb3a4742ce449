import type { CHAT_DEFECTS } from './chat-defects.ts';
import type { Breaches } from './breaches.ts';
import { type Fields, isFields } from './fields.ts';
import { isChat, isStreamed, misreadsField, supplies } from './misreads.ts';
import { refuses, refusesChats } from './refuses.ts';

const hasRole =
  (role: string) =>
  ({ messages }: Fields): boolean =>
    Array.isArray(messages) && messages.some((each) => isFields(each) && each['role'] === role);

const hasField = (field: string) => (chat: Fields) => Object.hasOwn(chat, field);

export const CHAT_BREACHES: Breaches<typeof CHAT_DEFECTS> = {
  'stream-false-streams': () => misreadsField('stream', (value) => (value === false ? true : value)),
  'stream-by-default': () => supplies('stream', true),
  'chat-refused-beyond-ascii': () =>
    refuses(
      'invalid_value',
      (request) => isChat(request) && (request.body?.some((byte) => byte > 0x7f) ?? false),
    ),
  'long-chat-refused': () => refusesChats(({ messages }) => Array.isArray(messages) && messages.length > 4),
  'system-role-refused': () => refusesChats(hasRole('system')),
  'assistant-role-refused': () => refusesChats(hasRole('assistant')),
  'temperature-refused': () => refusesChats(hasField('temperature'), 'unknown_field'),
  'max-tokens-required': () => refusesChats((chat) => !hasField('max_tokens')(chat), 'missing_field'),
  'stream-refused': () => refuses('invalid_value', isStreamed),
  'stream-false-refused': () => refusesChats(({ stream }) => stream === false),
};
