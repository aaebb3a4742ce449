import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { isJsonObject, parseJson } from '../../kit/reading/json.ts';
import {
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

/** Whether the caller could know a chat to have failed in one of these ways. */
export function failedBy(...ways: readonly Way[]): (timeline: Timeline) => boolean {
  return (timeline) =>
    failedChats(timeline).some(({ outcome }) => 'why' in outcome && ways.includes(outcome.why));
}

type Way = Extract<TimelineRequest['outcome'], { readonly why: string }>['why'];

/** Whether a request arrived when the last byte of the answer to the other one had left. */
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

/** In these the outcome is still unknown: the request must not be sent again. */
export const UNSETTLED: ReadonlySet<WorkspaceState> = new Set(['running', 'under_review']);
