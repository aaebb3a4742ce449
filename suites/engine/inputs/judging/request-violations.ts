import { CHAT_FIELDS, type JsonObject, type JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../../fixtures/clauses/clauses.ts';
import type { Credential } from '../../model/exchange.ts';
import type { ListedModel, TargetInfo } from '../../model/target.ts';
import { childPointer, isJsonObject, jsonText, parseOnce } from '../../reading/json.ts';

/** One place at which a chat request breaks the specification, or is left open by it. */
export interface RequestViolation {
  /** The clauses that forbid it, or the open clause that leaves it undefined. */
  readonly clauses: readonly ClauseId[];
  /** JSON pointer into the request's body. */
  readonly place: string;
  /** "the field `tools` is unknown", "`max_tokens` is 1.5", "`messages[0].content` is null". */
  readonly because: string;
}

type Violations = Generator<RequestViolation, void, void>;

/** The names on the way to a place in a body. */
type Names = readonly string[];

/** The models listed to a credential; undefined for one that must be refused. */
export function listedTo(credential: Credential, info: TargetInfo): readonly ListedModel[] | undefined {
  if (credential.kind !== 'key') return undefined;
  if (credential.name === 'primary') return info.models;
  return credential.name === 'second' ? info.secondModels : undefined;
}

/**
 * Every place at which the bytes of a chat request break the specification, or are left open by it. Requests are
 * judged by what was sent, never by the intention behind it.
 */
export function requestViolations(bytes: Uint8Array, listed: readonly ListedModel[]): RequestViolation[] {
  const body = parseOnce(bytes);
  if (body.kind === 'json' && isJsonObject(body.value)) return [...violationsIn(body.value, listed)];
  return [{ clauses: ['SVC-1'], place: '', because: 'the body is not a JSON object' }];
}

/** Names of the messages field in other interfaces. */
const NAMES_ELSEWHERE = new Set(['prompt', 'input', 'contents']);

/** Matches every field of tool calls (SVC-5). */
const OF_TOOLS = /tool|function|^mcp_/;

function* violationsIn(body: JsonObject, listed: readonly ListedModel[]): Violations {
  const { model, messages, temperature, max_tokens, stream } = body;
  const unknown = Object.keys(body).filter((name) => !CHAT_FIELDS.includes(name));
  const isRenamed = messages === undefined && unknown.length === 1 && NAMES_ELSEWHERE.has(`${unknown[0]}`);
  // Messages under a name from another interface are one mistake, not two.
  if (isRenamed) yield violation(['messages'], undefined, 'REQ-2', 'REQ-6');
  else
    for (const name of unknown)
      yield violation([name], body[name], 'REQ-6', ...(OF_TOOLS.test(name) ? (['SVC-5'] as const) : []));
  if (typeof model !== 'string') yield violation(['model'], model, 'REQ-1');
  else if (!listed.some(({ id }) => id === model))
    yield violation(['model'], model, 'SVC-7', 'ERR-3', 'MOD-2');
  if (!isRenamed) yield* messagesViolations(messages, listed.find(({ id }) => id === model)?.vision);
  if (temperature !== undefined && typeof temperature !== 'number')
    yield violation(['temperature'], temperature, openIfNull(temperature, 'REQ-3'));
  if (max_tokens !== undefined && !isWhole(max_tokens))
    yield violation(['max_tokens'], max_tokens, openIfNull(max_tokens, 'REQ-4'));
  if (stream !== undefined && typeof stream !== 'boolean')
    yield violation(['stream'], stream, openIfNull(stream, 'REQ-5'));
}

/** By the common convention, null stands for an absent field. */
function openIfNull(value: JsonValue, otherwise: ClauseId): ClauseId {
  return value === null ? 'REQ-8' : otherwise;
}

/** An integer literal too large for a double parses as Infinity. */
function isWhole(value: JsonValue): boolean {
  return typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
}

/** `vision`: whether the model accepts images, where that is known. */
function* messagesViolations(messages: JsonValue | undefined, vision: boolean | undefined): Violations {
  if (!Array.isArray(messages)) return yield violation(['messages'], messages, 'REQ-2');
  if (messages.length === 0) return yield violation(['messages'], messages, 'MSG-6');
  for (const [i, message] of messages.entries()) {
    const names = ['messages', String(i)];
    const found = isJsonObject(message)
      ? [...messageViolations(message, names, vision)]
      : [violation(names, message, 'REQ-2')];
    // A message of a tool call is one mistake, however many of its fields are unknown.
    if (found.length > 1 && isOfToolCall(message)) yield violation(names, message, 'SVC-5');
    else yield* found;
  }
}

const ROLES: ReadonlySet<JsonValue> = new Set(['system', 'user', 'assistant']);
const TOOL_ROLES: ReadonlySet<JsonValue | undefined> = new Set(['tool', 'function']);
const TOOL_FIELDS = ['tool_calls', 'tool_call_id', 'function_call'];

function* messageViolations(message: JsonObject, names: Names, vision: boolean | undefined): Violations {
  const { role, content } = message;
  const ofRole = [...names, 'role'];
  if (role === undefined) yield violation(ofRole, role, 'MSG-6');
  else if (TOOL_ROLES.has(role)) yield violation(ofRole, role, 'MSG-1', 'SVC-5');
  else if (!ROLES.has(role)) yield violation(ofRole, role, 'MSG-1');
  const clauses = contentClauses(message, vision);
  if (clauses.length > 0) yield violation([...names, 'content'], content, ...clauses);
  for (const name of Object.keys(message))
    if (name !== 'role' && name !== 'content') yield violation([...names, name], message[name], 'MSG-6');
}

function isOfToolCall(message: JsonValue): boolean {
  if (!isJsonObject(message)) return false;
  const { role, type } = message;
  if (TOOL_ROLES.has(role) || TOOL_FIELDS.some((name) => Object.hasOwn(message, name))) return true;
  return typeof type === 'string' && /(?:function|tool)_call/.test(type);
}

function contentClauses({ role, content }: JsonObject, vision: boolean | undefined): ClauseId[] {
  if (content === undefined) return ['MSG-6'];
  if (typeof content === 'string') return [];
  if (!Array.isArray(content)) return ['MSG-2'];
  if (content.some(isOfTool)) return ['MSG-2', 'SVC-5'];
  if (!content.every((part) => isImagePart(part) || isTextPart(part))) return ['MSG-2'];
  if (!content.some(isImagePart)) return ['MSG-5'];
  if (role !== 'user') return ['MSG-3'];
  return vision === false ? ['MSG-4'] : [];
}

function isOfTool(part: JsonValue): boolean {
  if (!isJsonObject(part) || isTextPart(part)) return false;
  return typeof part['type'] === 'string' && /tool|function_call/.test(part['type']);
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

function violation(names: Names, value: JsonValue | undefined, ...clauses: ClauseId[]): RequestViolation {
  return { clauses, place: names.reduce(childPointer, ''), because: inWords(names, value, clauses) };
}

function inWords(names: Names, value: JsonValue | undefined, clauses: readonly ClauseId[]): string {
  const [first = '', ...others] = names;
  const inside = others.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`));
  const path = `\`${first}${inside.join('')}\``;
  if (value === undefined) return `${path} is missing`;
  // In quotation marks where it holds anything that could be misread.
  const field = /^[\w.-]+$/.test(first) ? `\`${first}\`` : short(first);
  if (clauses.includes('REQ-6')) return `the field ${field} is unknown`;
  if (clauses.includes('SVC-7')) return `the model ${short(value)} is not listed`;
  if (clauses.includes('MSG-3')) return `${path} has an image outside a user message`;
  if (clauses.includes('MSG-4')) return `${path} has an image, but the model has no vision`;
  return `${path} is ${short(value)}`;
}

const LONGEST = 60;

function short(value: JsonValue): string {
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  const text = jsonText(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
