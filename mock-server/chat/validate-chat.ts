import { isObject, type Members } from '../protocol/json.ts';
import { ServiceError, type Step } from '../protocol/service-error.ts';
import type { Choices } from '../world/world-schema.ts';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly stream?: boolean;
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly Part[];
}

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly text?: never; readonly image_url: { readonly url: string } };

type Path = readonly Step[];

/**
 * Asserts that a parsed body is a chat request: only the five fields (REQ-1 to REQ-6), each of its type and within the world's
 * bounds (REQ-8). Written by hand, for exact places and a fast start. Throws a ServiceError with the wrong place.
 */
export function validateChat(body: unknown, choices: Choices): asserts body is ChatRequest {
  const { temperatureMinimum: least, temperatureMaximum: most, maxTokensMinimum: fewest } = choices.request;
  const chat = fieldsOf(body, [], CHAT);
  const { model, messages, temperature = least, max_tokens: maxTokens = fewest, stream = false } = chat;
  if (typeof model !== 'string') refuse(['model'], 'Expected a string');
  checkMessages(messages, choices);
  if (typeof temperature !== 'number' || temperature < least || temperature > most)
    refuse(['temperature'], `Expected a number from ${least} to ${most}`);
  // JSON's 1e400 reads as Infinity, which is not an integer.
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < fewest)
    refuse(['max_tokens'], `Expected an integer of at least ${fewest}`);
  if (typeof stream !== 'boolean') refuse(['stream'], 'Expected true or false');
}

function refuse(path: Path, detail: string): never {
  throw new ServiceError('invalid_value', { path, detail });
}

/** The fields that an object needs, and those that it may have. */
interface Fields {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

const CHAT: Fields = { required: ['model', 'messages'], optional: ['temperature', 'max_tokens', 'stream'] };
const MESSAGE: Fields = { required: ['role', 'content'] };
const PART: Fields = { required: ['type'] };
const TEXT_PART: Fields = { required: ['type', 'text'] };
const IMAGE_PART: Fields = { required: ['type', 'image_url'] };
const IMAGE: Fields = { required: ['url'], optional: ['detail'] };

/** An object with these fields; `others`: what becomes of others. `__proto__` is a name like any other. */
function fieldsOf(
  value: unknown,
  path: Path,
  { required, optional = [] }: Fields,
  others: 'refuse' | 'ignore' = 'refuse',
): Members {
  if (!isObject(value)) refuse(path, 'Expected an object');
  const other = Object.keys(value).find((name) => !required.includes(name) && !optional.includes(name));
  if (other !== undefined && others === 'refuse')
    throw new ServiceError('unknown_field', { path: [...path, other] });
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new ServiceError('missing_field', { path: [...path, missing] });
  return value;
}

function demandOneOf(values: readonly string[], value: unknown, path: Path, field: string): void {
  if (typeof value === 'string' && values.includes(value)) return;
  refuse([...path, field], `Expected one of ${values.slice(0, -1).join(', ')} and ${values.at(-1)}`);
}

/** The list of messages (REQ-2). Whether it may be empty is the world's choice (MSG-6). */
function checkMessages(messages: unknown, choices: Choices): void {
  if (!Array.isArray(messages)) refuse(['messages'], 'Expected an array');
  if (messages.length === 0 && choices.messages.emptyList === 'refuse')
    refuse(['messages'], 'Expected at least one message');
  for (const [index, message] of messages.entries()) checkMessage(message, ['messages', index], choices);
}

const ROLES = ['system', 'user', 'assistant'];

/** The fields of tool calls, which no world accepts (SVC-5). */
const TOOL_FIELDS = ['tool_calls', 'tool_call_id', 'function_call'];

/** MSG-2 allows a list of parts only with an image, MSG-3 an image only in a user message. */
function checkMessage(message: unknown, path: Path, choices: Choices): void {
  const { emptyContent, extraFields } = choices.messages;
  const tool = TOOL_FIELDS.find((field) => isObject(message) && Object.hasOwn(message, field));
  if (tool !== undefined) throw new ServiceError('unknown_field', { path: [...path, tool] });
  const { role, content } = fieldsOf(message, path, MESSAGE, extraFields);
  demandOneOf(ROLES, role, path, 'role');
  if (typeof content === 'string' && (content !== '' || emptyContent === 'accept')) return;
  const place = [...path, 'content'];
  if (content === '') refuse(place, 'The text must not be empty');
  if (!Array.isArray(content)) refuse(place, 'Expected text, or a list of parts with an image');
  for (const [index, part] of content.entries()) checkPart(part, role, [...place, index], choices);
  if (!content.some((part: Part) => part.type === 'image_url'))
    refuse(place, 'A list of parts needs an image among them');
}

function checkPart(part: unknown, role: unknown, path: Path, { images }: Choices): void {
  const { type } = fieldsOf(part, path, PART, 'ignore');
  demandOneOf(['text', 'image_url'], type, path, 'type');
  if (type === 'text') {
    const { text } = fieldsOf(part, path, TEXT_PART);
    return typeof text === 'string' ? undefined : refuse([...path, 'text'], 'Expected a string');
  }
  if (role !== 'user') throw new ServiceError('image_not_allowed', { path });
  const place = [...path, 'image_url'];
  const { url, detail = 'auto' } = fieldsOf(fieldsOf(part, path, IMAGE_PART)['image_url'], place, IMAGE);
  checkUrl(url, [...place, 'url'], images);
  demandOneOf(['auto', 'low', 'high'], detail, place, 'detail');
}

const DATA_URL = /^data:image\/(?:png|jpeg|webp|gif);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A data URL, or an https URL, which is never fetched (MSG-5). */
function checkUrl(value: unknown, path: Path, { schemes }: Choices['images']): void {
  const forms = { data: 'a base64 data URL of a PNG, JPEG, WebP or GIF image', https: 'an https URL' };
  const isOf = { data: isImageData, https: (url: string) => URL.parse(url)?.protocol === 'https:' };
  if (typeof value === 'string' && schemes.some((scheme) => isOf[scheme](value))) return;
  refuse(path, `Needed here: ${schemes.map((scheme) => forms[scheme]).join(' or ')}`);
}

/** Counts by length: an expression that repeats a group runs out of stack in an image of megabytes. */
function isImageData(url: string): boolean {
  const data = url.replace(DATA_URL, '');
  return data !== url && data.length % 4 === 0 && BASE64.test(data);
}

/** The place of the first image in valid messages, if any. */
export function firstImage(messages: readonly Message[]): Path | undefined {
  for (const [index, { content }] of messages.entries()) {
    if (typeof content === 'string') continue;
    return ['messages', index, 'content', content.findIndex(({ type }) => type === 'image_url')];
  }
  return undefined;
}
