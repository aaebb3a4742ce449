import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Credential, SentRequest } from '../model/exchange.ts';
import { endpointOf } from '../reading/endpoint-of.ts';
import { readOnce } from '../reading/read-once.ts';
import { sentChat } from '../reading/sent-chat.ts';
import type { ListedModel, Survey } from '../model/target-info.ts';
import { departuresOf } from './departures.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/**
 * The chat that a request asks for, where it departs from the specification in no place, leaves none of it in the dark,
 * and can be read in one way alone; undefined for any other request. Read once.
 */
export const faithfulChat: (request: SentRequest, survey: Survey) => JsonObject | undefined = readOnce(read);

function read(request: SentRequest, survey: Survey): JsonObject | undefined {
  const { body, headers } = request;
  if (body === undefined || endpointOf(request) !== 'chat') return undefined;
  if (!JSON_TYPE.test(headers[HEADERS.contentType] ?? '')) return undefined;
  const listed = listedTo(request.credential, survey);
  const chat = listed && sentChat(request);
  if (listed === undefined || chat === undefined || !isWrittenAsUsual(chat, body)) return undefined;
  return departuresOf(body, listed).length === 0 && asksForOutput(chat) ? chat : undefined;
}

/** What a maximum below one asks for, nothing or as much as there is, is not shown (REQ-8). */
function asksForOutput({ max_tokens }: JsonObject): boolean {
  return max_tokens === undefined || Number(max_tokens) >= 1;
}

/** Undefined for a key that must not open anything. */
function listedTo(credential: Credential, survey: Survey): readonly ListedModel[] | undefined {
  if (credential.kind !== 'key') return undefined;
  if (credential.name === 'primary') return survey.models;
  return credential.name === 'second' ? survey.secondModels : undefined;
}

/** Of two fields of one name, some readers take the first and others the last; so it is with numbers beyond a double. */
function isWrittenAsUsual(chat: JsonObject, body: Uint8Array): boolean {
  try {
    return Buffer.from(JSON.stringify(chat)).equals(body);
  } catch {
    // It is nested deeper than can be written down.
    return false;
  }
}
