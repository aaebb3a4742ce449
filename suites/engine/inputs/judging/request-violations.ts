import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../../fixtures/clauses/clauses.ts';
import type { Credential } from '../../model/exchange.ts';
import type { ListedModel, TargetInfo } from '../../model/target.ts';
import { isJsonObject, childPointer, parseOnce } from '../../reading/json.ts';

/** One place at which a chat request breaks the specification, or is left open by it. */
export interface RequestViolation {
  /** The clauses that forbid it, or the open clause that leaves it undefined. */
  readonly clauses: readonly ClauseId[];
  /** JSON pointer into the request's body. */
  readonly place: string;
}

/** The models listed to a credential; undefined for one that must be refused. */
export function listedTo(credential: Credential, info: TargetInfo): readonly ListedModel[] | undefined {
  if (credential.kind !== 'key') return undefined;
  if (credential.name === 'primary') return info.models;
  return credential.name === 'second' ? info.secondModels : undefined;
}

const FIELDS = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);

/** Names of the messages field in other interfaces. */
const NAMES_ELSEWHERE = new Set(['prompt', 'input', 'contents']);

/** Matches every field of tool calls (SVC-5). */
const OF_TOOLS = /tool|function|^mcp_/;

/**
 * Every place at which the bytes of a chat request break the specification, or are left open by it. Requests are
 * judged by what was sent, never by the intention behind it.
 */
export function requestViolations(bytes: Uint8Array, listed: readonly ListedModel[]): RequestViolation[] {
  const body = parseOnce(bytes);
  if (body.kind === 'no-json' || !isJsonObject(body.value)) return [{ clauses: ['SVC-1'], place: '' }];
  const renamed = renamedMessages(body.value);
  return [
    ...(renamed ?? fieldViolations(body.value)),
    ...modelViolations(body.value, listed),
    ...(renamed === undefined ? messagesViolations(body.value, listed) : []),
    ...optionViolations(body.value),
  ];
}

/** Messages under a name from another interface are one mistake, not two. */
function renamedMessages(body: JsonObject): RequestViolation[] | undefined {
  const [name, ...more] = Object.keys(body).filter((field) => !FIELDS.has(field));
  if (name === undefined || more.length > 0 || Object.hasOwn(body, 'messages')) return undefined;
  return NAMES_ELSEWHERE.has(name) ? [{ clauses: ['REQ-2', 'REQ-6'], place: '/messages' }] : undefined;
}

function fieldViolations(body: JsonObject): RequestViolation[] {
  return Object.keys(body)
    .filter((name) => !FIELDS.has(name))
    .map((name) => ({
      clauses: OF_TOOLS.test(name) ? ['REQ-6', 'SVC-5'] : ['REQ-6'],
      place: childPointer('', name),
    }));
}

function modelViolations({ model }: JsonObject, listed: readonly ListedModel[]): RequestViolation[] {
  if (typeof model !== 'string') return [{ clauses: ['REQ-1'], place: '/model' }];
  if (listed.some(({ id }) => id === model)) return [];
  return [{ clauses: ['SVC-7', 'ERR-3', 'MOD-2'], place: '/model' }];
}

function messagesViolations(
  { messages, model }: JsonObject,
  listed: readonly ListedModel[],
): RequestViolation[] {
  if (!Array.isArray(messages)) return [{ clauses: ['REQ-2'], place: '/messages' }];
  if (messages.length === 0) return [{ clauses: ['MSG-6'], place: '/messages' }];
  const vision = listed.find(({ id }) => id === model)?.vision;
  return messages.flatMap((message, i) => messageViolations(message, childPointer('/messages', i), vision));
}

function optionViolations({ temperature, max_tokens, stream }: JsonObject): RequestViolation[] {
  const violations: RequestViolation[] = [];
  if (temperature !== undefined && typeof temperature !== 'number')
    violations.push({ clauses: ['REQ-3'], place: '/temperature' });
  if (max_tokens !== undefined && !isWhole(max_tokens))
    violations.push({ clauses: ['REQ-4'], place: '/max_tokens' });
  if (stream !== undefined && typeof stream !== 'boolean')
    violations.push({ clauses: ['REQ-5'], place: '/stream' });
  return violations;
}

/** An integer literal too large for a double parses as Infinity. */
function isWhole(value: JsonObject[string]): boolean {
  return typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
}

const ROLES: ReadonlySet<JsonValue> = new Set(['system', 'user', 'assistant']);
const TOOL_ROLES: ReadonlySet<JsonValue | undefined> = new Set(['tool', 'function']);
const TOOL_FIELDS = ['tool_calls', 'tool_call_id', 'function_call'];

/** The violations of one message; `vision`: whether the model accepts images, where that is known. */
function messageViolations(
  message: JsonValue,
  place: string,
  vision: boolean | undefined,
): RequestViolation[] {
  if (!isJsonObject(message)) return [{ clauses: ['REQ-2'], place }];
  const violations = [
    ...roleViolations(message, place),
    ...contentViolations(message, place, vision),
    ...messageFieldViolations(message, place),
  ];
  // A message of a tool call is one mistake, however many of its fields are unknown.
  return violations.length > 1 && isOfToolCall(message) ? [{ clauses: ['SVC-5'], place }] : violations;
}

function isOfToolCall({ role, type, ...rest }: JsonObject): boolean {
  if (TOOL_ROLES.has(role)) return true;
  if (TOOL_FIELDS.some((name) => Object.hasOwn(rest, name))) return true;
  return typeof type === 'string' && /(?:function|tool)_call/.test(type);
}

function roleViolations({ role }: JsonObject, message: string): RequestViolation[] {
  const place = childPointer(message, 'role');
  if (role === undefined) return [{ clauses: ['MSG-6'], place }];
  if (ROLES.has(role)) return [];
  return [{ clauses: TOOL_ROLES.has(role) ? ['MSG-1', 'SVC-5'] : ['MSG-1'], place }];
}

function contentViolations(
  message: JsonObject,
  parent: string,
  vision: boolean | undefined,
): RequestViolation[] {
  const clauses = contentClauses(message['content'], message['role'], vision);
  return clauses.length > 0 ? [{ clauses, place: childPointer(parent, 'content') }] : [];
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

/** A part that calls a tool, or holds its result. */
function isOfTool(part: JsonValue): boolean {
  if (!isJsonObject(part) || isTextPart(part)) return false;
  return typeof part['type'] === 'string' && /tool|function_call/.test(part['type']);
}

function messageFieldViolations(message: JsonObject, parent: string): RequestViolation[] {
  return Object.keys(message)
    .filter((name) => name !== 'role' && name !== 'content')
    .map((name) => ({ clauses: ['MSG-6'], place: childPointer(parent, name) }));
}

const IMAGE_MEMBERS = ['image_url', 'image', 'input_image', 'inline_data', 'inlineData', 'source'];

/** Whether an element of a content list is an image in any shape (MSG-5 leaves the shape open). */
export function isImagePart(part: JsonValue): boolean {
  if (!isJsonObject(part)) return false;
  if (typeof part['type'] === 'string') return /image/i.test(part['type']);
  return IMAGE_MEMBERS.some((name) => Object.hasOwn(part, name));
}

/** Whether an element of a content list is text in the shape of the common convention. */
export function isTextPart(part: JsonValue): boolean {
  return isJsonObject(part) && typeof part['text'] === 'string' && !isImagePart(part);
}
