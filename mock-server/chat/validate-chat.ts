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

type Part = TextPart | ImagePart;

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

interface ImagePart {
  readonly type: 'image_url';
  readonly text?: never;
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
}

/**
 * A parsed body as a chat request: only the five fields (REQ-1 to REQ-6), each of its type and within the world's bounds
 * (REQ-8). Written by hand, for exact places and a fast start. Throws a ServiceError with the wrong place.
 */
export function validateChat(body: unknown, choices: Choices): ChatRequest {
  assertChat(body, choices);
  return body;
}

function assertChat(body: unknown, choices: Choices): asserts body is ChatRequest {
  checkFields(body, CHAT, [], choices);
}

type JsonObject = Readonly<Record<string, unknown>>;
type Path = readonly Step[];
/** Throws for a wrong value. `owner`: the object whose field it is. */
type Check = (value: unknown, path: Path, choices: Choices, owner: JsonObject) => void;
type Fields = readonly (readonly [name: string, check: Check, presence: 'required' | 'optional'])[];

/** Checks an object with these fields; `others`: what becomes of others. `__proto__` is a name like any other. */
function checkFields(
  value: unknown,
  fields: Fields,
  path: Path,
  choices: Choices,
  others: 'refuse' | 'ignore' = 'refuse',
): void {
  const object = asObject(value, path);
  const other =
    others === 'refuse' && Object.keys(object).find((name) => fields.every(([its]) => its !== name));
  if (typeof other === 'string') throw new ServiceError('unknown_field', { path: [...path, other] });
  for (const [name, check, presence] of fields) {
    const place = [...path, name];
    if (Object.hasOwn(object, name)) check(object[name], place, choices, object);
    else if (presence === 'required') throw new ServiceError('missing_field', { path: place });
  }
}

function asObject(value: unknown, path: Path): JsonObject {
  demand(isObject(value), path, 'Expected an object');
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function demand(isMet: boolean, path: Path, detail: string): asserts isMet {
  if (!isMet) throw new ServiceError('invalid_value', { path, detail });
}

function oneOf(...values: readonly string[]): Check {
  const names = `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`;
  return (value, path) =>
    demand(
      values.some((each) => each === value),
      path,
      `Expected one of ${names}`,
    );
}

const checkText: Check = (value, path) => demand(typeof value === 'string', path, 'Expected a string');

const CHAT: Fields = [
  ['model', checkText, 'required'],
  ['messages', checkMessages, 'required'],
  ['temperature', checkTemperature, 'optional'],
  ['max_tokens', checkMaxTokens, 'optional'],
  ['stream', (value, path) => demand(typeof value === 'boolean', path, 'Expected true or false'), 'optional'],
];

function checkTemperature(value: unknown, path: Path, { request }: Choices): void {
  const { temperatureMinimum: least, temperatureMaximum: most } = request;
  const isMet = typeof value === 'number' && value >= least && value <= most;
  demand(isMet, path, `Expected a number from ${least} to ${most}`);
}

/** JSON's 1e400 reads as Infinity, which is not an integer. */
function checkMaxTokens(value: unknown, path: Path, { request }: Choices): void {
  const { maxTokensMinimum: fewest } = request;
  const isMet = typeof value === 'number' && Number.isInteger(value) && value >= fewest;
  demand(isMet, path, `Expected an integer of at least ${fewest}`);
}

const MESSAGE: Fields = [
  ['role', oneOf('system', 'user', 'assistant'), 'required'],
  ['content', checkContent, 'required'],
];

/** The fields of tool calls, which no world accepts (SVC-5). */
const TOOL_FIELDS = ['tool_calls', 'tool_call_id', 'function_call'];

/** The list of messages (REQ-2). Whether it may be empty is the world's choice (MSG-6). */
function checkMessages(value: unknown, path: Path, choices: Choices): void {
  const { emptyList, extraFields } = choices.messages;
  demand(Array.isArray(value), path, 'Expected an array');
  demand(value.length > 0 || emptyList === 'accept', path, 'Expected at least one message');
  for (const [index, message] of value.entries()) {
    const place = [...path, index];
    const tool = TOOL_FIELDS.find((field) => Object.hasOwn(asObject(message, place), field));
    if (tool !== undefined) throw new ServiceError('unknown_field', { path: [...place, tool] });
    checkFields(message, MESSAGE, place, choices, extraFields);
  }
}

/** MSG-2 allows a list only with an image, MSG-3 an image only in a user message. */
function checkContent(value: unknown, path: Path, choices: Choices, { role }: JsonObject): void {
  if (!Array.isArray(value)) {
    demand(typeof value === 'string', path, 'Expected text, or a list of parts with an image');
    demand(value !== '' || choices.messages.emptyContent === 'accept', path, 'The text must not be empty');
    return;
  }
  for (const [index, part] of value.entries()) checkPart(part, role, [...path, index], choices);
  const hasImage = value.some((part: Part) => part.type === 'image_url');
  demand(hasImage, path, 'A list of parts needs an image among them');
}

const ANY: Check = () => {};
const TEXT_PART: Fields = [
  ['type', ANY, 'required'],
  ['text', checkText, 'required'],
];
const IMAGE_PART: Fields = [
  ['type', ANY, 'required'],
  ['image_url', (value, path, choices) => checkFields(value, IMAGE, path, choices), 'required'],
];
const IMAGE: Fields = [
  ['url', checkUrl, 'required'],
  ['detail', oneOf('auto', 'low', 'high'), 'optional'],
];

function checkPart(value: unknown, role: unknown, path: Path, choices: Choices): void {
  const { type = null } = asObject(value, path);
  if (type === 'text') return checkFields(value, TEXT_PART, path, choices);
  checkFields(value, [['type', oneOf('text', 'image_url'), 'required']], path, choices, 'ignore');
  if (role !== 'user') throw new ServiceError('image_not_allowed', { path });
  checkFields(value, IMAGE_PART, path, choices);
}

const DATA_URL = /^data:image\/(?:png|jpeg|webp|gif);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A data URL, or an https URL, which is never fetched (MSG-5). */
function checkUrl(value: unknown, path: Path, { images: { schemes } }: Choices): void {
  if (typeof value === 'string') {
    if (schemes.includes('data') && isImageData(value)) return;
    if (schemes.includes('https') && URL.parse(value)?.protocol === 'https:') return;
  }
  const forms = { data: 'a base64 data URL of a PNG, JPEG, WebP or GIF image', https: 'an https URL' };
  demand(false, path, `Needed here: ${schemes.map((scheme) => forms[scheme]).join(' or ')}`);
}

function isImageData(url: string): boolean {
  const head = DATA_URL.exec(url)?.[0];
  if (head === undefined) return false;
  const data = url.slice(head.length);
  return data.length % 4 === 0 && BASE64.test(data);
}

/** The place of the first image in valid messages, if any. */
export function firstImage(messages: readonly Message[]): Path | undefined {
  for (const [index, { content }] of messages.entries()) {
    if (typeof content === 'string') continue;
    return ['messages', index, 'content', content.findIndex(({ type }) => type === 'image_url')];
  }
  return undefined;
}
