import type { Choices, Model } from './choices.ts';
import { isMembers, type Json, type JsonMembers } from './json.ts';
import { countMessages } from './read-messages.ts';
import { refuse } from './refusal.ts';

/** A chat completion request that may be served. */
export interface Chat {
  readonly model: Model;
  readonly input: number;
  readonly maxTokens: number;
  readonly stream: boolean;
  /** Tells chats apart. */
  readonly print: string;
}

const FIELDS: ReadonlySet<string> = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);

/** Reads the body of a chat for a key that may use `models`; throws a Refusal. */
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
  const maxTokens = roomFor(chat['max_tokens'], model, input, choices);
  return { model, input, maxTokens, stream: stream === true, print: JSON.stringify([id, messages]) };
}

function parse(body: Buffer, { bodyBytes }: Choices): JsonMembers {
  if (body.length > bodyBytes) refuse('too_many_bytes', 'the body is too large');
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isMembers(value)) return value;
  } catch {
    // Nothing was said so far: the refusal below says it.
  }
  return refuse('malformed', 'the body is a JSON object in UTF-8');
}

function checkOptions({ temperature, max_tokens, stream }: JsonMembers, choices: Choices): void {
  if (temperature !== undefined) checkNumber('temperature', temperature, choices.temperature);
  if (max_tokens !== undefined) {
    if (!Number.isInteger(max_tokens)) refuse('wrong_value', 'max_tokens is an integer');
    checkNumber('max_tokens', max_tokens, choices.maxTokens);
  }
  if (stream !== undefined && typeof stream !== 'boolean') refuse('wrong_value', 'stream is a boolean');
}

function checkNumber(name: string, value: Json, [least, most]: readonly [number, number]): void {
  if (typeof value !== 'number') return refuse('wrong_value', `${name} is a number`);
  if (value > most && name === 'max_tokens') refuse('token_limit', `${name} is ${most} at most`);
  if (value < least || value > most) refuse('wrong_value', `${name} is between ${least} and ${most}`);
}

function roomFor(asked: Json | undefined, model: Model, input: number, choices: Choices): number {
  const room = model.context - input;
  const wanted = typeof asked === 'number' ? asked : Math.min(choices.usualMaxTokens, Math.max(room, 1));
  if (wanted > room) refuse('token_limit', 'input and requested output are larger than the context');
  return Math.max(wanted, 0);
}
