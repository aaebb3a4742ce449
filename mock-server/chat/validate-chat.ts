import type { Choices, RequestChoices } from '../world/world.ts';
import { asObject, invalid, type JsonObject, refuseOthers, requireField } from './read-json.ts';
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
  if (typeof model !== 'string') throw invalid(['model'], 'Expected a string');
  const messages = validateMessages(requireField(chat, 'messages', []), choices);
  return { model, messages, ...options(chat, choices.request) };
}

/** JSON's 1e400 reads as Infinity, which is not an integer. */
function options(chat: JsonObject, bounds: RequestChoices): Omit<ChatRequest, 'model' | 'messages'> {
  const { temperature, max_tokens: maxTokens, stream } = chat;
  const { temperatureMinimum: least, temperatureMaximum: most, maxTokensMinimum: fewest } = bounds;
  if (temperature !== undefined && !(isNumber(temperature) && temperature >= least && temperature <= most))
    throw invalid(['temperature'], `Expected a number from ${least} to ${most}`);
  if (maxTokens !== undefined && !(isNumber(maxTokens) && Number.isInteger(maxTokens) && maxTokens >= fewest))
    throw invalid(['max_tokens'], `Expected an integer of at least ${fewest}`);
  if (stream !== undefined && typeof stream !== 'boolean')
    throw invalid(['stream'], 'Expected true or false');
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(stream !== undefined && { stream }),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
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
