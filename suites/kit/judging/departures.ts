import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { isJsonObject } from '../reading/is-json-object.ts';
import { below } from '../reading/json-pointer.ts';
import { messageDepartures } from './message-departures.ts';
import { parseJson } from '../reading/read-json.ts';
import type { ListedModel } from '../model/target-info.ts';

/** One place in which a chat request departs from the specification. */
export interface Departure {
  /** What forbids it, or the open clause that leaves it in the dark. */
  readonly clauses: readonly ClauseId[];
  /** JSON pointer into the request's body. */
  readonly place: string;
}

const FIELDS = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);

/** What other interfaces call the messages. */
const NAMES_ELSEWHERE = new Set(['prompt', 'input', 'contents']);

/** How every field by which a request would call tools is named (SVC-5). */
const OF_TOOLS = /tool|function|^mcp_/;

/**
 * Our own reading of a chat request's bytes against the specification: every place that departs from it, or
 * that it leaves open. What was sent is judged by this, never by the intention behind it.
 */
export function departuresOf(bytes: Uint8Array, listed: readonly ListedModel[]): Departure[] {
  const body = parseJson(bytes);
  if (body.kind === 'no-json' || !isJsonObject(body.value)) return [{ clauses: ['SVC-1'], place: '' }];
  const renamed = renamedMessages(body.value);
  return [
    ...(renamed ?? fieldDepartures(body.value)),
    ...modelDepartures(body.value, listed),
    ...(renamed === undefined ? messagesDepartures(body.value, listed) : []),
    ...optionDepartures(body.value),
  ];
}

/** Messages under the name that another interface has for them are one mistake, and not two. */
function renamedMessages(body: JsonObject): Departure[] | undefined {
  const [name, ...more] = Object.keys(body).filter((field) => !FIELDS.has(field));
  if (name === undefined || more.length > 0 || Object.hasOwn(body, 'messages')) return undefined;
  return NAMES_ELSEWHERE.has(name) ? [{ clauses: ['REQ-2', 'REQ-6'], place: '/messages' }] : undefined;
}

function fieldDepartures(body: JsonObject): Departure[] {
  return Object.keys(body)
    .filter((name) => !FIELDS.has(name))
    .map((name) => ({
      clauses: OF_TOOLS.test(name) ? ['REQ-6', 'SVC-5'] : ['REQ-6'],
      place: below('', name),
    }));
}

function modelDepartures({ model }: JsonObject, listed: readonly ListedModel[]): Departure[] {
  if (typeof model !== 'string') return [{ clauses: ['REQ-1'], place: '/model' }];
  if (listed.some(({ id }) => id === model)) return [];
  return [{ clauses: ['SVC-7', 'ERR-3', 'MOD-2'], place: '/model' }];
}

function messagesDepartures({ messages, model }: JsonObject, listed: readonly ListedModel[]): Departure[] {
  if (!Array.isArray(messages)) return [{ clauses: ['REQ-2'], place: '/messages' }];
  if (messages.length === 0) return [{ clauses: ['MSG-6'], place: '/messages' }];
  const vision = listed.find(({ id }) => id === model)?.vision;
  return messages.flatMap((message, i) => messageDepartures(message, below('/messages', i), vision));
}

function optionDepartures({ temperature, max_tokens, stream }: JsonObject): Departure[] {
  const departures: Departure[] = [];
  if (temperature !== undefined && typeof temperature !== 'number')
    departures.push({ clauses: ['REQ-3'], place: '/temperature' });
  if (max_tokens !== undefined && !isWhole(max_tokens))
    departures.push({ clauses: ['REQ-4'], place: '/max_tokens' });
  if (stream !== undefined && typeof stream !== 'boolean')
    departures.push({ clauses: ['REQ-5'], place: '/stream' });
  return departures;
}

/** A literal too large for a double parses as infinite, and is a whole number nevertheless. */
function isWhole(value: JsonObject[string]): boolean {
  return typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
}
