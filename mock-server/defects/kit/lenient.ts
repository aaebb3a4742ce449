import type { DefectHooks } from '../../exchange/defect-hooks.ts';
import { dropMembers, isObject, mapMember, mapMessages, type Members } from './json-members.ts';
import { rewriteRequest } from './request-hooks.ts';

const CHAT: ReadonlySet<string> = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);
const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
const PART: ReadonlySet<string> = new Set(['type', 'text', 'image_url']);

function only(members: Members, known: ReadonlySet<string>): Members {
  return dropMembers(members, (name) => !known.has(name));
}

function part(value: unknown): unknown {
  return isObject(value) ? only(value, PART) : value;
}

function parts(content: unknown): unknown {
  return Array.isArray(content) ? content.map(part) : content;
}

function message(value: unknown): unknown {
  if (!isObject(value)) return value;
  return mapMember(only(value, MESSAGE), 'content', parts);
}

/**
 * Ignores every member that the specification does not know, of chats, messages and parts. The judge of callers serves
 * such chats: it has seen the member, and goes on to what the caller does otherwise (CALL-4).
 */
export const LENIENT: DefectHooks = {
  onRequest: rewriteRequest((chat) => mapMessages(only(chat, CHAT), message)),
};
