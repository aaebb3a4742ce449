import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { isJsonObject, parseJson } from '../kit/reading/json.ts';
import type { Timeline, TimelineRequest } from './timeline.ts';

/** The path of a request without its query. */
export function pathOf({ path }: TimelineRequest): string {
  return path.split('?', 1)[0] ?? '';
}

/** The endpoint whose name a path ends with, whatever stands before it. */
export function endpointAsked(request: TimelineRequest): keyof typeof ENDPOINTS | undefined {
  const path = pathOf(request).replace(/\/+$/, '');
  if (path.endsWith(ENDPOINTS.chat)) return request.method === 'POST' ? 'chat' : undefined;
  if (request.method !== 'GET') return undefined;
  if (path.endsWith(ENDPOINTS.models)) return 'models';
  return path.endsWith(ENDPOINTS.vision) ? 'vision' : undefined;
}

/** The chat completions asked for, at the service and elsewhere. */
export function everyChat({ requests }: Timeline): readonly TimelineRequest[] {
  return requests.filter((request) => endpointAsked(request) === 'chat');
}

/** Those asked of the service. */
export function chatsAtService(timeline: Timeline): readonly TimelineRequest[] {
  return everyChat(timeline).filter(({ place }) => place === 'service');
}

/** Those that failed, and of which the caller could know that. */
export function failedChats(timeline: Timeline): readonly TimelineRequest[] {
  return chatsAtService(timeline).filter(
    ({ outcome: met, knownAt }) =>
      knownAt !== undefined && (met.kind === 'refused' || met.kind === 'uncertain'),
  );
}

/** Whether a request left when its caller could know what became of the other one. */
export function isAfter(request: TimelineRequest, { knownAt }: TimelineRequest): boolean {
  return knownAt !== undefined && request.arrivedAt > knownAt;
}

const bodies = new WeakMap<TimelineRequest, { readonly chat: JsonObject | undefined }>();

/** The JSON object that a body is; undefined when it is none. Read once. */
export function chatOf(request: TimelineRequest): JsonObject | undefined {
  const known = bodies.get(request);
  if (known !== undefined) return known.chat;
  const reading = parseJson(Buffer.from(request.body));
  const chat = reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
  bodies.set(request, { chat });
  return chat;
}
