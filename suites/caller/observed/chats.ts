import type { JsonObject, JsonValue } from '../../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { isJsonObject, parseJson } from '../../engine/reading/json.ts';
import type { Timeline, TimelineRequest, WorkspaceLookup, WorkspaceState } from './timeline.ts';

/** The path of a request without its query. */
export function pathOf({ path }: TimelineRequest): string {
  return path.split('?', 1)[0] ?? '';
}

/** Likewise without trailing slashes, which name no other endpoint. */
export function barePathOf(request: TimelineRequest): string {
  return pathOf(request).replace(/(?<!\/)\/+$/, '');
}

/** The endpoint whose name the path ends with, whatever stands before it. */
export function endpointAsked(request: TimelineRequest): keyof typeof ENDPOINTS | undefined {
  const path = barePathOf(request);
  if (path.endsWith(ENDPOINTS.chat)) return request.method === 'POST' ? 'chat' : undefined;
  if (request.method !== 'GET') return undefined;
  if (path.endsWith(ENDPOINTS.models)) return 'models';
  return path.endsWith(ENDPOINTS.vision) ? 'vision' : undefined;
}

/** A chat completion request, and what it shows of the work that it is for. */
export interface Chat extends TimelineRequest {
  /** The body as a JSON object; undefined if it is not one. */
  readonly fields: JsonObject | undefined;
  /** The text of the last user message. What stands before it may be history, or a clock. */
  readonly text: string | undefined;
  /** The ID of its task item, or the mark of the caller. Undefined: neither shows, or two items have this text. */
  readonly item: string | undefined;
  /** Whether it shows an item of the task, even if two have its text, or a mark. */
  readonly isNamed: boolean;
  /** What it is for: its item, or else its text. Chats with the same work ask for the same. Undefined: nothing shows it. */
  readonly work: string | undefined;
}

/** With this header, a caller that does not do the task marks the work that a request is for. */
export const WORK_HEADER = 'x-wish';

const read = new WeakMap<Timeline, readonly Chat[]>();

/** The chat completion requests, at the service and elsewhere. */
export function chatsOf(timeline: Timeline): readonly Chat[] {
  const known = read.get(timeline);
  if (known !== undefined) return known;
  const chats: Chat[] = [];
  for (const request of timeline.requests)
    if (endpointAsked(request) === 'chat') chats.push(readChat(request, timeline, chats));
  read.set(timeline, chats);
  return chats;
}

function readChat(request: TimelineRequest, { items }: Timeline, before: readonly Chat[]): Chat {
  const { body, headers } = request;
  const reading = parseJson(Buffer.from(body));
  const fields = reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
  const text = lastUserText(fields);
  const begun = lastBegun(items, text ?? '') ?? lastBegun(items, body);
  const isTwice = items.filter(({ begins }) => begins === begun?.begins).length > 1;
  const item = headers[WORK_HEADER] ?? (isTwice ? undefined : begun?.id);
  const isNamed = item !== undefined || begun !== undefined;
  const ownText = text ?? (body === '' ? undefined : body);
  const ownWork = item === undefined ? ownText && `text ${ownText}` : `item ${item}`;
  return { ...request, fields, text, item, isNamed, work: ownWork ?? workBefore(request, before) };
}

/** The item whose beginning stands last in a text, as others may be history. */
function lastBegun(items: Timeline['items'], text: string): Timeline['items'][number] | undefined {
  return items
    .filter(({ begins }) => text.includes(begins))
    .reduce<Timeline['items'][number] | undefined>(
      (last, item) =>
        last !== undefined && text.lastIndexOf(last.begins) >= text.lastIndexOf(item.begins) ? last : item,
      undefined,
    );
}

/** A transport that sends a request again may have used its body up: the key tells its work, or else what failed last. */
function workBefore(
  { idempotencyKey, arrivedAt }: TimelineRequest,
  before: readonly Chat[],
): string | undefined {
  if (idempotencyKey !== undefined)
    return before.find((chat) => chat.idempotencyKey === idempotencyKey)?.work;
  return before.findLast((chat) => hasFailed(chat) && (chat.knownAt ?? Infinity) < arrivedAt)?.work;
}

function lastUserText(fields: JsonObject | undefined): string | undefined {
  const messages = fields?.['messages'];
  if (!Array.isArray(messages)) return undefined;
  const last = messages.filter(isJsonObject).findLast((message) => message['role'] === 'user');
  return textOf(last?.['content']);
}

function textOf(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

export function chatsAtService(timeline: Timeline): readonly Chat[] {
  return chatsOf(timeline).filter(({ place }) => place === 'service');
}

/** The chats at the service that the caller could know to have failed. */
export function failedChats(timeline: Timeline): readonly Chat[] {
  return chatsAtService(timeline).filter(hasFailed);
}

function hasFailed({ outcome, knownAt }: TimelineRequest): boolean {
  return knownAt !== undefined && (outcome.kind === 'refused' || outcome.kind === 'uncertain');
}

type Way = Extract<TimelineRequest['outcome'], { readonly why: string }>['why'];

/** Those that failed in one of these ways. */
export function chatsFailedBy(timeline: Timeline, ...ways: readonly Way[]): readonly Chat[] {
  return failedChats(timeline).filter(({ outcome }) => 'why' in outcome && ways.includes(outcome.why));
}

/** Whether the caller could know a chat to have failed in one of these ways. */
export function failedBy(...ways: readonly Way[]): (timeline: Timeline) => boolean {
  return (timeline) => chatsFailedBy(timeline, ...ways).length > 0;
}

/** Whether a caller that does its task did not begin with some of the items. */
export function leftItems(timeline: Timeline): boolean {
  const begun = new Set(chatsOf(timeline).map(({ item }) => item));
  return timeline.items.some(({ id }) => begun.has(id)) && timeline.items.some(({ id }) => !begun.has(id));
}

/** Whether a request arrived when the last byte of the answer to the other one had left. */
export function isAfter({ arrivedAt }: TimelineRequest, { knownAt }: TimelineRequest): boolean {
  return knownAt !== undefined && arrivedAt > knownAt;
}

/** Whether neither of two requests arrived after the answer to the other. */
export function isBeside(one: TimelineRequest, other: TimelineRequest): boolean {
  return one !== other && !isAfter(one, other) && !isAfter(other, one);
}

/**
 * Whether a request may have left before the caller read an answer: others were in flight beside the answered one, and
 * none that the caller sent since had been answered. It says nothing of a request for the same work.
 */
export function mayHaveCrossed(
  timeline: Timeline,
  request: TimelineRequest,
  known: TimelineRequest,
): boolean {
  const chats = chatsAtService(timeline);
  if (!chats.some((chat) => isBeside(chat, known))) return !isAfter(request, known);
  return !chats.some((chat) => isAfter(chat, known) && isAfter(request, chat));
}

/** The lookups that showed a request in a period of time. */
export function lookupsBetween(
  { lookups }: Timeline,
  { idempotencyKey, requestId }: TimelineRequest,
  after: number,
  before = Infinity,
): readonly WorkspaceLookup[] {
  const isAbout = ({ about }: WorkspaceLookup): boolean =>
    about === undefined || about === idempotencyKey || about === requestId;
  return lookups.filter((one) => one.at > after && one.at < before && isAbout(one));
}

/** The state of a request that a lookup showed. */
export function stateShown(
  { states }: WorkspaceLookup,
  { idempotencyKey, requestId }: TimelineRequest,
): WorkspaceState {
  return states.get(requestId) ?? states.get(idempotencyKey ?? '') ?? 'absent';
}

/** In these the outcome is still unknown: the request must not be sent again. */
export const UNSETTLED: ReadonlySet<WorkspaceState> = new Set(['running', 'under_review']);
