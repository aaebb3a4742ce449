import { type Choices, isJsonObject, type Json, type JsonObject, type Model, refuse } from './convention.ts';

/** A valid chat completion request. */
export interface Chat {
  readonly model: Model;
  readonly input: number;
  readonly maxTokens: number;
  readonly stream: boolean;
  /** Differs between different chats. */
  readonly fingerprint: string;
}

const FIELDS: ReadonlySet<string> = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);

/** Reads the body of a chat for a key that may use `models`. Throws a Refusal. */
export function readChat(body: Buffer, models: readonly Model[], choices: Choices): Chat {
  const chat = parse(body, choices);
  const unknown = Object.keys(chat).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) refuse('unknown_field', `the field ${unknown.slice(0, 40)} is not known`);
  checkOptions(chat, choices);
  const { model: id, messages, stream } = chat;
  if (typeof id !== 'string') return refuse('wrong_value', 'model is a string');
  const model = models.find((each) => each.id === id);
  if (model === undefined) return refuse('no_such_model', 'the models endpoint does not list this model');
  const input = countMessages(messages, model, choices);
  const maxTokens = roomFor(chat['max_tokens'], model, input);
  return { model, input, maxTokens, stream: stream === true, fingerprint: JSON.stringify([id, messages]) };
}

function parse(body: Buffer, { bodyBytes }: Choices): JsonObject {
  if (body.length > bodyBytes) refuse('too_many_bytes', 'the body is too large');
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isJsonObject(value)) return value;
  } catch {
    // Refused below.
  }
  return refuse('malformed', 'the body is a JSON object in UTF-8');
}

function checkOptions({ temperature, max_tokens, stream }: JsonObject, choices: Choices): void {
  const isGiven = (value: Json | undefined): value is Json =>
    value !== undefined && !(value === null && choices.nullMeans === 'absent');
  if (isGiven(temperature)) checkNumber('temperature', temperature, choices.temperature);
  if (isGiven(max_tokens)) {
    if (!Number.isInteger(max_tokens)) refuse('wrong_value', 'max_tokens is an integer');
    checkNumber('max_tokens', max_tokens, choices.maxTokens);
  }
  if (isGiven(stream) && typeof stream !== 'boolean') refuse('wrong_value', 'stream is a boolean');
}

function checkNumber(name: string, value: Json, [least, most]: readonly [number, number]): void {
  if (typeof value !== 'number') return refuse('wrong_value', `${name} is a number`);
  if (value > most && name === 'max_tokens') refuse('token_limit', `${name} is ${most} at most`);
  if (value < least || value > most) refuse('wrong_value', `${name} is between ${least} and ${most}`);
}

const DEFAULT_MAX_TOKENS = 64;

function roomFor(asked: Json | undefined, model: Model, input: number): number {
  const room = model.context - input;
  const wanted = typeof asked === 'number' ? asked : Math.min(DEFAULT_MAX_TOKENS, Math.max(room, 1));
  if (wanted > room) refuse('token_limit', 'input and requested output are larger than the context');
  return Math.max(wanted, 0);
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
/** Tokens of the frame of a message, and of an image. */
const FRAME = 3;
const IMAGE = 20;

/** The input tokens of a list of messages. Throws a Refusal if it is invalid. */
function countMessages(messages: Json | undefined, model: Model, choices: Choices): number {
  if (!Array.isArray(messages)) return refuse('wrong_value', 'messages is an array');
  const list: readonly Json[] = messages;
  const taken = list.map((each) =>
    isJsonObject(each) ? choices.messageOf(each) : refuse('wrong_value', 'a message is an object'),
  );
  const tokens = taken.map((message) => countMessage(message, model, choices));
  const problem = choices.messageProblem(taken);
  if (problem !== undefined) refuse('wrong_value', problem);
  return tokens.reduce((sum, each) => sum + each, 0);
}

function countMessage({ role, content, ...others }: JsonObject, model: Model, choices: Choices): number {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse('unknown_field', `${unknown.slice(0, 40)} is no field of a message`);
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
    if (!isJsonObject(part)) return refuse('wrong_value', 'a part of content is an object');
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
