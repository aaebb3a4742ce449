import type { Choices, Model } from './choices.ts';
import { isMembers, type Json, type JsonMembers } from './json.ts';
import { refuse } from './refusal.ts';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
/** Tokens that frame a message, and those of an image. */
const FRAME = 3;
const IMAGE = 20;

/** The input tokens of a list of messages; throws a Refusal for what is no message. */
export function countMessages(messages: Json | undefined, model: Model, choices: Choices): number {
  if (!Array.isArray(messages)) return refuse('wrong_value', 'messages is an array');
  const list: readonly Json[] = messages;
  if (list.length === 0 && choices.emptyList === 'refused') refuse('wrong_value', 'messages is empty');
  const objects = list.map((each) =>
    isMembers(each) ? each : refuse('wrong_value', 'a message is an object'),
  );
  const tokens = objects.map((message) => countMessage(message, model, choices));
  const objection = choices.objection(objects);
  if (objection !== undefined) refuse('wrong_value', objection);
  return tokens.reduce((sum, each) => sum + each, 0);
}

function countMessage(message: JsonMembers, model: Model, choices: Choices): number {
  const others = Object.keys(message).filter((name) => name !== 'role' && name !== 'content');
  // Tool calls are not supported, however lenient a service is about other fields.
  const refused = others.find(
    (name) => choices.extraMessageFields === 'refused' || /tool|function/.test(name),
  );
  if (refused !== undefined) refuse('unknown_field', `${refused.slice(0, 40)} is no field of a message`);
  const { role, content } = message;
  if (!ROLES.has(role)) refuse('wrong_value', 'role is system, user or assistant');
  if (typeof content === 'string') {
    if (content === '' && choices.emptyContent === 'refused') refuse('wrong_value', 'content is empty');
    return FRAME + choices.countTokens(content);
  }
  if (!Array.isArray(content) || content.length === 0) return refuse('wrong_value', 'content is text');
  return FRAME + countParts(content, role === 'user', model, choices);
}

function countParts(
  parts: readonly Json[],
  isUser: boolean,
  { vision }: Model,
  { countTokens, isImagePart, textParts }: Choices,
): number {
  let tokens = 0;
  let images = 0;
  for (const part of parts) {
    if (!isMembers(part)) return refuse('wrong_value', 'a part of content is an object');
    const { type, text } = part;
    if (type === 'text' && typeof text === 'string') tokens += countTokens(text);
    else if (isImagePart(part)) images += 1;
    else refuse('wrong_image', 'a part of content is text or an image');
  }
  if (images > 0 && !isUser) refuse('wrong_image', 'images are for messages of the user');
  if (images > 0 && !vision) refuse('wrong_image', 'this model has no vision');
  if (images === 0 && textParts === 'refused') refuse('wrong_value', 'content is text');
  return tokens + images * IMAGE;
}
