import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../is-json-object.ts';

const IMAGE_MEMBERS = ['image_url', 'image', 'input_image', 'inline_data', 'inlineData', 'source'];

/** Whether an element of a content list bears an image, whatever the shape (MSG-5 leaves it open). */
export function isImagePart(part: JsonValue): boolean {
  if (!isJsonObject(part)) return false;
  if (typeof part['type'] === 'string') return /image/i.test(part['type']);
  return IMAGE_MEMBERS.some((name) => Object.hasOwn(part, name));
}

/** Whether an element of a content list is text in the shape of the common convention. */
export function isTextPart(part: JsonValue): boolean {
  return isJsonObject(part) && typeof part['text'] === 'string' && !isImagePart(part);
}
