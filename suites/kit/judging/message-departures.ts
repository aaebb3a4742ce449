import type { JsonObject, JsonValue } from '../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Departure } from './departures.ts';
import { isImagePart, isTextPart } from '../reading/vision/image-part.ts';
import { isJsonObject } from '../reading/is-json-object.ts';
import { below } from '../reading/json-pointer.ts';

const ROLES: ReadonlySet<JsonValue> = new Set(['system', 'user', 'assistant']);
const TOOL_ROLES: ReadonlySet<JsonValue | undefined> = new Set(['tool', 'function']);
const TOOL_FIELDS = ['tool_calls', 'tool_call_id', 'function_call'];

/** Where one message departs; `vision` is whether the model takes images, when that is known. */
export function messageDepartures(
  message: JsonValue,
  place: string,
  vision: boolean | undefined,
): Departure[] {
  if (!isJsonObject(message)) return [{ clauses: ['REQ-2'], place }];
  const departures = [
    ...roleDepartures(message, place),
    ...contentDepartures(message, place, vision),
    ...fieldDepartures(message, place),
  ];
  // A whole message of a tool call is one thing too many, however much of it is strange.
  return departures.length > 1 && isOfToolCall(message) ? [{ clauses: ['SVC-5'], place }] : departures;
}

function isOfToolCall({ role, type, ...rest }: JsonObject): boolean {
  if (TOOL_ROLES.has(role)) return true;
  if (TOOL_FIELDS.some((name) => Object.hasOwn(rest, name))) return true;
  return typeof type === 'string' && /(?:function|tool)_call/.test(type);
}

function roleDepartures({ role }: JsonObject, message: string): Departure[] {
  const place = below(message, 'role');
  if (role === undefined) return [{ clauses: ['MSG-6'], place }];
  if (ROLES.has(role)) return [];
  return [{ clauses: TOOL_ROLES.has(role) ? ['MSG-1', 'SVC-5'] : ['MSG-1'], place }];
}

function contentDepartures(message: JsonObject, parent: string, vision: boolean | undefined): Departure[] {
  const clauses = contentClauses(message['content'], message['role'], vision);
  return clauses.length > 0 ? [{ clauses, place: below(parent, 'content') }] : [];
}

function contentClauses(
  content: JsonValue | undefined,
  role: JsonValue | undefined,
  vision: boolean | undefined,
): ClauseId[] {
  if (content === undefined) return ['MSG-6'];
  if (typeof content === 'string') return [];
  if (!Array.isArray(content)) return ['MSG-2'];
  if (content.some(isOfTool)) return ['MSG-2', 'SVC-5'];
  if (!content.every((part) => isImagePart(part) || isTextPart(part))) return ['MSG-2'];
  if (!content.some(isImagePart)) return ['MSG-5'];
  if (role !== 'user') return ['MSG-3'];
  return vision === false ? ['MSG-4'] : [];
}

/** A part that calls a tool, or brings what it said. */
function isOfTool(part: JsonValue): boolean {
  if (!isJsonObject(part) || isTextPart(part)) return false;
  return typeof part['type'] === 'string' && /tool|function_call/.test(part['type']);
}

function fieldDepartures(message: JsonObject, parent: string): Departure[] {
  return Object.keys(message)
    .filter((name) => name !== 'role' && name !== 'content')
    .map((name) => ({
      clauses: [TOOL_FIELDS.includes(name) ? 'SVC-5' : 'MSG-6'],
      place: below(parent, name),
    }));
}
