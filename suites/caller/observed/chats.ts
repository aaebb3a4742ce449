import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { isJsonObject, parseJson } from '../../kit/reading/json.ts';
import {
  once,
  perTimeline,
  type Timeline,
  type TimelineRequest,
  type WorkspaceLookup,
  type WorkspaceState,
} from './timeline.ts';

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

/** The chat completion requests, at the service and elsewhere. */
export const everyChat = perTimeline(({ requests }): readonly TimelineRequest[] =>
  requests.filter((request) => endpointAsked(request) === 'chat'),
);

export const chatsAtService = perTimeline((timeline): readonly TimelineRequest[] =>
  everyChat(timeline).filter(({ place }) => place === 'service'),
);

/** The chats at the service that the caller could know to have failed. */
export const failedChats = perTimeline((timeline): readonly TimelineRequest[] =>
  chatsAtService(timeline).filter(
    ({ outcome, knownAt }) =>
      knownAt !== undefined && (outcome.kind === 'refused' || outcome.kind === 'uncertain'),
  ),
);

/** Those that failed in one of these ways. */
export function chatsFailedBy(timeline: Timeline, ...ways: readonly Way[]): readonly TimelineRequest[] {
  return failedChats(timeline).filter(({ outcome }) => 'why' in outcome && ways.includes(outcome.why));
}

/** Whether the caller could know a chat to have failed in one of these ways. */
export function failedBy(...ways: readonly Way[]): (timeline: Timeline) => boolean {
  return (timeline) => chatsFailedBy(timeline, ...ways).length > 0;
}

type Way = Extract<TimelineRequest['outcome'], { readonly why: string }>['why'];

/** Whether a request arrived when the last byte of the answer to the other one had left. */
export function isAfter(request: TimelineRequest, { knownAt }: TimelineRequest): boolean {
  return knownAt !== undefined && request.arrivedAt > knownAt;
}

/** The body as a JSON object; undefined if it is not one. */
export const chatOf = once(({ body }: TimelineRequest): JsonObject | undefined => {
  const reading = parseJson(Buffer.from(body));
  return reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
});

function isAbout({ about }: WorkspaceLookup, { idempotencyKey, requestId }: TimelineRequest): boolean {
  return about === undefined || about === idempotencyKey || about === requestId;
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

/** In these the outcome is still unknown: the request must not be sent again. */
export const UNSETTLED: ReadonlySet<WorkspaceState> = new Set(['running', 'under_review']);
