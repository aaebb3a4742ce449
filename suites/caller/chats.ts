import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { isJsonObject, parseJson } from '../kit/reading/json.ts';
import type { Timeline, TimelineRequest, WorkspaceLookup, WorkspaceState } from './timeline.ts';

/** The path of a request without its query. */
export function pathOf({ path }: TimelineRequest): string {
  return path.split('?', 1)[0] ?? '';
}

/** The endpoint whose name the path ends with, whatever stands before it. */
export function endpointAsked(request: TimelineRequest): keyof typeof ENDPOINTS | undefined {
  const path = pathOf(request).replace(/\/+$/, '');
  if (path.endsWith(ENDPOINTS.chat)) return request.method === 'POST' ? 'chat' : undefined;
  if (request.method !== 'GET') return undefined;
  if (path.endsWith(ENDPOINTS.models)) return 'models';
  return path.endsWith(ENDPOINTS.vision) ? 'vision' : undefined;
}

/** The chat completion requests, at the service and elsewhere. */
export function everyChat({ requests }: Timeline): readonly TimelineRequest[] {
  return requests.filter((request) => endpointAsked(request) === 'chat');
}

export function chatsAtService(timeline: Timeline): readonly TimelineRequest[] {
  return everyChat(timeline).filter(({ place }) => place === 'service');
}

/** The chats at the service that the caller could know to have failed. */
export function failedChats(timeline: Timeline): readonly TimelineRequest[] {
  return chatsAtService(timeline).filter(
    ({ outcome, knownAt }) =>
      knownAt !== undefined && (outcome.kind === 'refused' || outcome.kind === 'uncertain'),
  );
}

/** Whether a request was sent when the caller could know the outcome of the other one. */
export function isAfter(request: TimelineRequest, { knownAt }: TimelineRequest): boolean {
  return knownAt !== undefined && request.arrivedAt > knownAt;
}

const bodies = new WeakMap<TimelineRequest, { readonly chat: JsonObject | undefined }>();

/** The body as a JSON object; undefined if it is not one. Parsed once. */
export function chatOf(request: TimelineRequest): JsonObject | undefined {
  const known = bodies.get(request);
  if (known !== undefined) return known.chat;
  const reading = parseJson(Buffer.from(request.body));
  const chat = reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
  bodies.set(request, { chat });
  return chat;
}

/** The ID of the task item that a request is for: the last one in its text, as others may be history. */
export function itemOf({ items }: Timeline, { body }: TimelineRequest): string | undefined {
  const places = items.map(({ id, begins }) => ({ id, at: body.lastIndexOf(begins) }));
  const last = places.reduce((best, place) => (place.at > best.at ? place : best), { id: '', at: -1 });
  return last.at === -1 ? undefined : last.id;
}

/**
 * The signs that two requests ask for the same work: the same Idempotency-Key, the same task item or, for a caller
 * that does not do the task, the same messages.
 */
export function sameWork(
  timeline: Timeline,
  one: TimelineRequest,
  other: TimelineRequest,
): 'key' | 'item' | 'messages' | undefined {
  if (one.idempotencyKey !== undefined && one.idempotencyKey === other.idempotencyKey) return 'key';
  const item = itemOf(timeline, one);
  if (item !== undefined) return item === itemOf(timeline, other) ? 'item' : undefined;
  const messages = chatOf(one)?.['messages'];
  if (messages === undefined) return one.body === other.body ? 'messages' : undefined;
  return isDeepStrictEqual(messages, chatOf(other)?.['messages']) ? 'messages' : undefined;
}

function isInFlight({ arrivedAt, knownAt }: TimelineRequest, at: number): boolean {
  return arrivedAt <= at && (knownAt === undefined || knownAt > at);
}

/** The most of all requests that were in flight when one of `arrivals` arrived. */
export function mostInFlight(arrivals: readonly TimelineRequest[], all: readonly TimelineRequest[]): number {
  const counts = arrivals.map(({ arrivedAt }) => all.filter((one) => isInFlight(one, arrivedAt)).length);
  return Math.max(0, ...counts);
}

/** Requests this close together were sent at once: neither is sent because the caller gave up on the other. */
const AT_ONCE_MS = 100;

/** A request whose answer was held, and one for the same work that arrived meanwhile. */
export interface SentWhileHeld {
  readonly held: TimelineRequest;
  readonly again: TimelineRequest;
  readonly how: 'key' | 'item' | 'messages';
}

/** Work that was sent again while its answer was held. A caller may give up without closing the connection. */
export function sentWhileHeld(timeline: Timeline): readonly SentWhileHeld[] {
  const held = chatsAtService(timeline).filter(({ isHeld }) => isHeld);
  return held.flatMap((one) =>
    everyChat(timeline).flatMap((again) => {
      if (again.arrivedAt <= one.arrivedAt + AT_ONCE_MS || isAfter(again, one)) return [];
      const how = sameWork(timeline, one, again);
      return how === undefined ? [] : [{ held: one, again, how }];
    }),
  );
}

function isAbout({ about }: WorkspaceLookup, { idempotencyKey, requestId }: TimelineRequest): boolean {
  return about === undefined || about === idempotencyKey || about === requestId;
}

/** The lookups that showed a request, since the caller could know its outcome. */
export function lookupsAfterOutcome(
  timeline: Timeline,
  request: TimelineRequest,
  before = Infinity,
): readonly WorkspaceLookup[] {
  const { knownAt = Infinity } = request;
  return lookupsBetween(timeline, request, knownAt, before);
}

/** The lookups that showed a request in a period of time. */
export function lookupsBetween(
  { lookups }: Timeline,
  request: TimelineRequest,
  after: number,
  before = Infinity,
): readonly WorkspaceLookup[] {
  return lookups.filter((one) => one.at > after && one.at < before && isAbout(one, request));
}

/** The state of a request that a lookup showed. */
export function stateShown(
  { states }: WorkspaceLookup,
  { idempotencyKey, requestId }: TimelineRequest,
): WorkspaceState {
  return states.get(requestId) ?? states.get(idempotencyKey ?? '') ?? 'absent';
}
