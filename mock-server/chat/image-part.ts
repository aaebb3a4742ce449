import type { ImagePart, Message } from './chat-request.ts';
import { asObject, type JsonObject, refuseOthers, requireField } from '../http/json-object.ts';
import { ServiceError, type Step } from '../endpoints/service-error.ts';
import type { ImageChoices } from '../world/world-choices.ts';

const PART_FIELDS: ReadonlySet<string> = new Set(['type', 'image_url']);
const URL_FIELDS: ReadonlySet<string> = new Set(['url', 'detail']);
const DATA_URL = /^data:image\/(?:png|jpeg|webp|gif);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * An image part as the common convention has it: `{ type: 'image_url', image_url: { url, detail? } }`, with the
 * image in a data URL or behind an https URL, which is never fetched (MSG-5).
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

/** The place of the first image in valid messages, or none. */
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
  throw new ServiceError('invalid_value', {
    path,
    detail: `Needed here: ${schemes.map((scheme) => forms[scheme]).join(' or ')}`,
  });
}

function isImageData(url: string): boolean {
  const head = DATA_URL.exec(url)?.[0];
  if (head === undefined) return false;
  const data = url.slice(head.length);
  return data.length % 4 === 0 && BASE64.test(data);
}

function validDetail(value: unknown, path: readonly Step[]): 'auto' | 'low' | 'high' {
  if (value === 'auto' || value === 'low' || value === 'high') return value;
  throw new ServiceError('invalid_value', { path, detail: 'One of auto, low and high is needed here' });
}
