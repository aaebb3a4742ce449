import { type JsonObject, type JsonValue, ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { isJsonObject, jsonIn } from '../engine/reading/json.ts';
import {
  type CallerEnd,
  type CallerFacts,
  type Chat,
  type ObservedRequest,
  type RequestOutcome,
  type Timeline,
  type TimelineItem,
  type TimelineRequest,
  UNCERTAIN,
  type WorkspaceLookup,
} from './timeline.ts';

/** With this header, a caller that does not do the task marks the work that a request is for. */
export const WORK_HEADER = 'x-wish';

/** In which the clients of several providers count their own retries of a request, from 0. */
export const RETRY_COUNT = 'x-stainless-retry-count';

/** What was observed, in order, with a reading of the chats. */
export function timelineOf(observed: readonly ObservedRequest[], about: CallerFacts): Timeline {
  const inOrder = observed.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
  const requests = inOrder.map((one, index) => ({ ...one, n: index + 1, endpoint: endpointAsked(one) }));
  const chats = requests
    .filter(({ endpoint }) => endpoint === 'chat')
    .map((request) => readChat(request, about.items));
  const atService = chats.filter(({ place }) => place === 'service');
  return { ...about, requests, chats, atService, earlier: [], later: [] };
}

/** The timelines of one run in the order in which they were played, each with the others, which have theirs too. */
export function inRun(timelines: readonly Timeline[]): readonly Timeline[] {
  const all = timelines.map((timeline) => ({ ...timeline }));
  for (const [index, timeline] of all.entries())
    Object.assign(timeline, { earlier: all.slice(0, index), later: all.slice(index + 1) });
  return all;
}

/** What the caller asked for where nothing failed; empty: the run did not begin with that. */
export function plainChats({ earlier }: Timeline): readonly Chat[] {
  return earlier.find(({ scenario }) => scenario === 'plain-use')?.chats ?? [];
}

/** Where else than in Authorization a request has a key; its headers by lower-case names, without Authorization. */
export function keyPlaces(
  { url, body, headers }: { url: string; body: string; headers: readonly (readonly [string, string])[] },
  holdsKey: (text: string) => boolean,
): readonly string[] {
  return [
    ...(holdsKey(url) ? ['the address'] : []),
    ...(holdsKey(body) ? ['the body'] : []),
    ...headers.flatMap(([name, value]) => (holdsKey(value) ? [`the header ${name}`] : [])),
  ];
}

/** The path of a request without its query, and without trailing slashes, which name no other endpoint. */
export function pathOf({ path }: Pick<ObservedRequest, 'path'>): string {
  return (path.split('?', 1)[0] ?? '').replace(/(?<!\/)\/+$/, '');
}

function endpointAsked(request: ObservedRequest): TimelineRequest['endpoint'] {
  const path = pathOf(request);
  return (['chat', 'models', 'vision'] as const).find(
    (name) => path.endsWith(ENDPOINTS[name]) && request.method === (name === 'chat' ? 'POST' : 'GET'),
  );
}

function readChat(request: TimelineRequest, items: readonly TimelineItem[]): Chat {
  const { body, headers } = request;
  const sent = jsonIn(body);
  const fields = isJsonObject(sent) ? sent : undefined;
  const text = lastUserText(fields);
  const begun = lastBegun(items, text ?? '') ?? lastBegun(items, body);
  const isTwice = items.some((each) => each !== begun && begun?.text === each.text);
  const item = headers[WORK_HEADER] ?? (isTwice ? undefined : begun?.id);
  const isNamed = item !== undefined || begun !== undefined;
  const work = item === undefined ? `text ${text ?? body}` : `item ${item}`;
  return { ...request, fields, text, item, isNamed, work };
}

/** Shows which item a request is for, even where its text is shortened. */
export function beginningOf({ text }: TimelineItem): string {
  return `${text.split(':', 1).join('')}:`;
}

/** The item whose beginning stands last in a text, as others may be history. */
function lastBegun(items: readonly TimelineItem[], text: string): TimelineItem | undefined {
  const places = items.map((item) => ({ item, at: text.lastIndexOf(beginningOf(item)) }));
  return places.filter(({ at }) => at >= 0).toSorted((one, other) => other.at - one.at)[0]?.item;
}

function lastUserText(fields: JsonObject | undefined): string | undefined {
  const last = messagesOf(fields).findLast((each) => isJsonObject(each) && each['role'] === 'user');
  const content = isJsonObject(last) ? last['content'] : undefined;
  if (typeof content === 'string') return content;
  const texts = partsOf(last).flatMap((part) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** The messages of a chat; empty: it has no list of them. */
export function messagesOf(fields: JsonObject | undefined): readonly JsonValue[] {
  const messages = fields?.['messages'];
  return Array.isArray(messages) ? messages : [];
}

export function partsOf(message: JsonValue | undefined): readonly JsonValue[] {
  const content = isJsonObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content : [];
}

/** Whether only the workspace shows what was done. */
export function isUncertain({ outcome }: TimelineRequest): boolean {
  return UNCERTAIN.some((way) => way === outcome);
}

export function isRefusal(request: TimelineRequest): boolean {
  return request.outcome !== 'served' && request.outcome !== 'running' && !isUncertain(request);
}

/** Whether the caller could know that it failed. */
export function hasFailed(request: TimelineRequest): boolean {
  return request.knownAt !== undefined && (isRefusal(request) || isUncertain(request));
}

/** The chats at the service that the caller could know to have failed, in one of these ways if any are given. */
export function failedChats({ atService }: Timeline, ...ways: readonly RequestOutcome[]): readonly Chat[] {
  return atService.filter((chat) => hasFailed(chat) && (ways.length === 0 || ways.includes(chat.outcome)));
}

/** Whether the caller could know a chat to have failed in one of these ways. */
export function failedBy(...ways: readonly RequestOutcome[]): (timeline: Timeline) => boolean {
  return (timeline) => failedChats(timeline, ...ways).length > 0;
}

/** Whether a caller that does its task did not begin with some of the items. */
export function leftItems({ chats, items }: Timeline): boolean {
  const begun = new Set(chats.map(({ item }) => item));
  return items.some(({ id }) => begun.has(id)) && items.some(({ id }) => !begun.has(id));
}

/** Whether a caller left work undone: items of its task or, given work of its own, some that it does in plain use. */
export function leftWork(timeline: Timeline): boolean {
  const { chats } = timeline;
  return (
    leftItems(timeline) ||
    (!chats.some(({ isNamed }) => isNamed) && chats.length < plainChats(timeline).length)
  );
}

/** Whether a request arrived when the last byte of the answer to the other one had left. */
export function isAfter({ arrivedAt }: TimelineRequest, { knownAt }: TimelineRequest): boolean {
  return knownAt !== undefined && arrivedAt > knownAt;
}

/** Whether neither of two requests arrived after the answer to the other. */
export function isBeside(one: TimelineRequest, other: TimelineRequest): boolean {
  return one !== other && !isAfter(one, other) && !isAfter(other, one);
}

/** From reading an answer to the next request, at most: a caller may start a process for each, on a busy machine. */
const CROSSING_MS = 1000;

/**
 * Whether a caller with several requests in flight may have sent one of them before it read an answer: soon after that,
 * and none that it sent since had been answered. It says nothing of a request for the same work.
 */
export function mayHaveCrossed({ atService }: Timeline, request: TimelineRequest, known: TimelineRequest) {
  const isParallel = atService.some((chat, index) => isBeside(chat, atService[index - 1] ?? chat));
  if (!isParallel) return !isAfter(request, known);
  const isSoon = request.arrivedAt <= (known.knownAt ?? Infinity) + CROSSING_MS;
  return isSoon && !atService.some((chat) => isAfter(chat, known) && isAfter(request, chat));
}

/** What the caller printed later than this, as far as that is known: output that a runtime held back looks late. */
export function printedSince({ output, written }: CallerEnd, time: number): string {
  const late = written?.filter(({ at }) => at > time).map(({ text }) => text);
  return late?.join('') ?? output;
}

/** The lookups that showed a request in a period of time. */
export function lookupsBetween(
  { lookups = [] }: Timeline,
  { idempotencyKey, requestId }: TimelineRequest,
  after: number,
  before = Infinity,
): readonly WorkspaceLookup[] {
  const shown = new Set([null, idempotencyKey, requestId]);
  return lookups.filter(({ at, about }) => at > after && at < before && shown.has(about));
}

/** The state of a request that a lookup showed, while its outcome is still unknown: it must not be sent again. */
export function unsettledState({ entries }: WorkspaceLookup, { idempotencyKey, requestId }: TimelineRequest) {
  const own =
    entries.find((entry) => entry.requestId === requestId) ??
    entries.findLast((entry) => entry.idempotencyKey === idempotencyKey);
  return own?.state === 'running' || own?.state === 'under_review' ? own.state : undefined;
}

/** Whether all work was sent more than once of which nothing failed, in plain use or else here: under one key, or under several. */
export function habitsIn(timeline: Timeline) {
  const plain = plainChats(timeline);
  const byWork = Map.groupBy(plain.length > 0 ? plain : timeline.chats, ({ work }) => work);
  const whole = [...byWork.values()].filter((equal) => !equal.some((one) => one.isHeld || hasFailed(one)));
  const sends = whole.map((equal) => ({
    times: equal.length,
    keys: new Set(equal.map((one) => one.idempotencyKey)).size,
  }));
  return {
    oneKey: sends.length > 0 && sends.every(({ times, keys }) => keys < times),
    keys: sends.length > 0 && sends.every(({ keys }) => keys > 1),
  };
}
