import { ServiceError } from '../protocol/service-error.ts';
import type { Choices, RequestChoices } from '../world/world.ts';
import { asObject, type JsonObject, refuseOthers, requireField } from './read-json.ts';
import { validateMessages } from './validate-message.ts';

const FIELDS: ReadonlySet<string> = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);

/**
 * A parsed body as a chat request: only the five fields (REQ-1 to REQ-6), each of its type and within the world's bounds
 * (REQ-8). Written by hand, for exact places and a fast start. Throws a ServiceError with the wrong place.
 */
export function validateChat(body: unknown, choices: Choices): ChatRequest {
  const chat = asObject(body, []);
  refuseOthers(chat, FIELDS, []);
  const model = requireField(chat, 'model', []);
  if (typeof model !== 'string') throw invalid('model', 'Expected a string');
  const messages = validateMessages(requireField(chat, 'messages', []), choices);
  return { model, messages, ...options(chat, choices.request) };
}

function options(chat: JsonObject, bounds: RequestChoices): Omit<ChatRequest, 'model' | 'messages'> {
  const { temperature, max_tokens: maxTokens, stream } = chat;
  return {
    ...(temperature !== undefined && { temperature: validTemperature(temperature, bounds) }),
    ...(maxTokens !== undefined && { max_tokens: validMaxTokens(maxTokens, bounds) }),
    ...(stream !== undefined && { stream: validStream(stream) }),
  };
}

function validTemperature(value: unknown, bounds: RequestChoices): number {
  const { temperatureMinimum: minimum, temperatureMaximum: maximum } = bounds;
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  throw invalid('temperature', `Expected a number from ${minimum} to ${maximum}`);
}

/** JSON's 1e400 reads as Infinity, which is not an integer. */
function validMaxTokens(value: unknown, { maxTokensMinimum: minimum }: RequestChoices): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum) return value;
  throw invalid('max_tokens', `Expected an integer of at least ${minimum}`);
}

function validStream(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid('stream', 'Expected true or false');
}

function invalid(field: string, detail: string): ServiceError {
  return new ServiceError('invalid_value', { path: [field], detail });
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly stream?: boolean;
}

export interface Message {
  readonly role: Role;
  readonly content: string | readonly Part[];
}

export type Role = 'system' | 'user' | 'assistant';

export type Part = TextPart | ImagePart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image_url';
  readonly text?: never;
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
}
