import { ServiceError, type Step } from '../protocol/service-error.ts';
import type { Choices, ImageChoices } from '../world/world.ts';
import { asObject, invalid, type JsonObject, refuseOthers, requireField } from './read-json.ts';
import type { Message, Part, Role, ImagePart } from './validate-chat.ts';

const FIELDS: ReadonlySet<string> = new Set(['role', 'content']);
/** The fields of tool calls, which no world accepts (SVC-5). */
const TOOL_FIELDS = ['tool_calls', 'tool_call_id', 'function_call'];
const TEXT_PART_FIELDS: ReadonlySet<string> = new Set(['type', 'text']);

/** The list of messages (REQ-2). Whether it may be empty is the world's choice (MSG-6). */
export function validateMessages(value: unknown, choices: Choices): readonly Message[] {
  const path = ['messages'];
  if (!Array.isArray(value)) throw invalid(path, 'Expected an array');
  if (value.length === 0 && choices.messages.emptyList === 'refuse') {
    throw invalid(path, 'Expected at least one message');
  }
  return value.map((message: unknown, index) => validateMessage(message, index, choices));
}

function validateMessage(value: unknown, index: number, choices: Choices): Message {
  const path = ['messages', index];
  const message = asObject(value, path);
  if (choices.messages.extraFields === 'refuse') refuseOthers(message, FIELDS, path);
  else refuseToolFields(message, path);
  const role = validRole(requireField(message, 'role', path), path);
  const content = validContent(requireField(message, 'content', path), role, path, choices);
  return { ...message, role, content };
}

function refuseToolFields(message: JsonObject, path: readonly Step[]): void {
  const name = TOOL_FIELDS.find((field) => Object.hasOwn(message, field));
  if (name !== undefined) throw new ServiceError('unknown_field', { path: [...path, name] });
}

function validRole(value: unknown, path: readonly Step[]): Role {
  if (value === 'system' || value === 'user' || value === 'assistant') return value;
  throw invalid([...path, 'role'], 'Expected one of system, user and assistant');
}

function validContent(value: unknown, role: Role, at: readonly Step[], choices: Choices): Message['content'] {
  const path = [...at, 'content'];
  if (Array.isArray(value)) return validParts(value, role, path, choices);
  if (typeof value !== 'string') {
    throw invalid(path, 'Expected text, or a list of parts with an image');
  }
  if (value === '' && choices.messages.emptyContent === 'refuse') {
    throw invalid(path, 'The text must not be empty');
  }
  return value;
}

/** MSG-2 allows a list only with an image, MSG-3 an image only in a user message. */
function validParts(
  list: readonly unknown[],
  role: Role,
  path: readonly Step[],
  choices: Choices,
): readonly Part[] {
  const parts = list.map((part, index) => validPart(part, role, [...path, index], choices));
  if (parts.some(({ type }) => type === 'image_url')) return parts;
  throw invalid(path, 'A list of parts needs an image among them');
}

function validPart(value: unknown, role: Role, path: readonly Step[], choices: Choices): Part {
  const part = asObject(value, path);
  const type = requireField(part, 'type', path);
  if (type === 'text') return validTextPart(part, path);
  if (type !== 'image_url') {
    throw invalid([...path, 'type'], 'Expected text or image_url');
  }
  if (role !== 'user') throw new ServiceError('image_not_allowed', { path });
  return validateImagePart(part, path, choices.images);
}

function validTextPart(part: JsonObject, path: readonly Step[]): Part {
  refuseOthers(part, TEXT_PART_FIELDS, path);
  const text = requireField(part, 'text', path);
  if (typeof text === 'string') return { type: 'text', text };
  throw invalid([...path, 'text'], 'Expected a string');
}

const PART_FIELDS: ReadonlySet<string> = new Set(['type', 'image_url']);
const URL_FIELDS: ReadonlySet<string> = new Set(['url', 'detail']);
const DATA_URL = /^data:image\/(?:png|jpeg|webp|gif);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * An image part of the common convention: `{ type: 'image_url', image_url: { url, detail? } }`, with a data URL, or an
 * https URL, which is never fetched (MSG-5).
 */
export function validateImagePart(part: JsonObject, at: readonly Step[], choices: ImageChoices): ImagePart {
  refuseOthers(part, PART_FIELDS, at);
  const path = [...at, 'image_url'];
  const image = asObject(requireField(part, 'image_url', at), path);
  refuseOthers(image, URL_FIELDS, path);
  const url = validUrl(requireField(image, 'url', path), [...path, 'url'], choices);
  if (image['detail'] === undefined) return { type: 'image_url', image_url: { url } };
  return { type: 'image_url', image_url: { url, detail: validDetail(image['detail'], [...path, 'detail']) } };
}

/** The place of the first image in valid messages, if any. */
export function firstImage(messages: readonly Message[]): readonly Step[] | undefined {
  for (const [index, { content }] of messages.entries()) {
    if (typeof content === 'string') continue;
    return ['messages', index, 'content', content.findIndex(({ type }) => type === 'image_url')];
  }
  return undefined;
}

function validUrl(value: unknown, path: readonly Step[], { schemes }: ImageChoices): string {
  if (typeof value === 'string') {
    if (schemes.includes('data') && isImageData(value)) return value;
    if (schemes.includes('https') && URL.parse(value)?.protocol === 'https:') return value;
  }
  const forms = { data: 'a base64 data URL of a PNG, JPEG, WebP or GIF image', https: 'an https URL' };
  throw invalid(path, `Needed here: ${schemes.map((scheme) => forms[scheme]).join(' or ')}`);
}

function isImageData(url: string): boolean {
  const head = DATA_URL.exec(url)?.[0];
  if (head === undefined) return false;
  const data = url.slice(head.length);
  return data.length % 4 === 0 && BASE64.test(data);
}

function validDetail(value: unknown, path: readonly Step[]): 'auto' | 'low' | 'high' {
  if (value === 'auto' || value === 'low' || value === 'high') return value;
  throw invalid(path, 'Expected one of auto, low and high');
}
