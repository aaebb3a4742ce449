import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../../kit/reading/json.ts';
import { chatOf, everyChat, failedChats } from './chats.ts';
import { once, perRequest, perTimeline, type Timeline, type TimelineRequest } from './timeline.ts';

/** With this header, a caller that does not do the task marks the work that a request is for. */
const WORK_HEADER = 'x-wish';

function textOf(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** The text of the last user message. What stands before it may be history, or a clock. */
const lastUserText = once((request: TimelineRequest): string | undefined => {
  const messages = chatOf(request)?.['messages'];
  if (!Array.isArray(messages)) return undefined;
  const last = messages.findLast((message) => isJsonObject(message) && message['role'] === 'user');
  return isJsonObject(last) ? textOf(last['content']) : undefined;
});

/** The items that can be told from others: one text may be asked for twice. */
const toldApart = perTimeline(({ items }) =>
  items.filter(({ begins }) => items.filter((one) => one.begins === begins).length === 1),
);

/** The item whose beginning stands last in a text, as others may be history. */
function lastItemIn(timeline: Timeline, text: string): string | undefined {
  const places = toldApart(timeline).map(({ id, begins }) => ({ id, at: text.lastIndexOf(begins) }));
  const last = places.reduce((best, place) => (place.at > best.at ? place : best), { id: '', at: -1 });
  return last.at === -1 ? undefined : last.id;
}

/** The ID of the task item that a request is for, or what the caller marked it with. */
export const itemOf = perRequest(
  (timeline, request): string | undefined =>
    request.headers[WORK_HEADER] ??
    lastItemIn(timeline, lastUserText(request) ?? '') ??
    lastItemIn(timeline, request.body),
);

/** A transport that sends a request again may have used its body up, and may have no key: it resends what failed last. */
function failedBefore(timeline: Timeline, { arrivedAt }: TimelineRequest): TimelineRequest | undefined {
  return failedChats(timeline).findLast(({ body, knownAt = Infinity }) => body !== '' && knownAt < arrivedAt);
}

/** What a request is for: its item, or else the last user text, whole. Undefined: nothing shows it. */
const workOf: (timeline: Timeline, request: TimelineRequest) => string | undefined = perRequest(
  (timeline, request) => {
    if (request.body === '' && request.idempotencyKey === undefined) {
      const failed = failedBefore(timeline, request);
      return failed && workOf(timeline, failed);
    }
    const item = itemOf(timeline, request);
    if (item !== undefined) return `item ${item}`;
    const text = lastUserText(request) ?? (request.body === '' ? undefined : request.body);
    return text === undefined ? undefined : `text ${text}`;
  },
);

/** The requests for other items whose text holds that of the item of one: as history, or to ask for both. */
export function chatsThatHold(timeline: Timeline, request: TimelineRequest): readonly TimelineRequest[] {
  const item = itemOf(timeline, request);
  const begins = toldApart(timeline).find(({ id }) => id === item)?.begins;
  if (begins === undefined) return [];
  return everyChat(timeline).filter(
    (chat) => itemOf(timeline, chat) !== item && lastUserText(chat)?.includes(begins) === true,
  );
}

/** How it shows that two requests ask for the same work. An equal text alone may be a coincidence. */
export type SameWork = 'key' | 'item' | 'text';

/**
 * Whether two requests ask for the same work: the same item; or, for a caller that does not do the task, the same last
 * user text. An Idempotency-Key decides only where the work of one cannot be read: one key for different work is IDEM-1.
 */
export function sameWork(
  timeline: Timeline,
  one: TimelineRequest,
  other: TimelineRequest,
): SameWork | undefined {
  const [work, otherWork] = [workOf(timeline, one), workOf(timeline, other)];
  const { idempotencyKey: key = '' } = one;
  const hasSameKey = key !== '' && key === other.idempotencyKey;
  if (work === undefined || otherWork === undefined) return hasSameKey ? 'key' : undefined;
  if (work !== otherWork) return undefined;
  if (hasSameKey) return 'key';
  return work.startsWith('item ') ? 'item' : 'text';
}

/** Whether a request asks for the very same as an earlier one, whatever stands before its last user text. */
export function isSameAsk(request: TimelineRequest, earlier: TimelineRequest): boolean {
  if (request.body === earlier.body || request.body === '') return true;
  const text = lastUserText(request);
  const isEqual = (field: string): boolean => chatOf(request)?.[field] === chatOf(earlier)?.[field];
  return text !== undefined && text === lastUserText(earlier) && isEqual('max_tokens') && isEqual('model');
}

export const HIDDEN_HINT = `let the caller do CHAT_TASK, or mark what a request is for with the header ${WORK_HEADER}`;

/** Whether a caller that does its task did not begin with some of the items. */
export function leftItems(timeline: Timeline): boolean {
  const begun = new Set(everyChat(timeline).map((chat) => itemOf(timeline, chat)));
  return timeline.items.some(({ id }) => begun.has(id)) && timeline.items.some(({ id }) => !begun.has(id));
}

/** Whether the task itself asks for the text of a request more than once. */
export function isWishedTwice({ items }: Timeline, request: TimelineRequest): boolean {
  const text = lastUserText(request) ?? '';
  return items.filter(({ begins }) => text.includes(begins)).length > 1;
}

/** Whether a request shows an item of the task, or its mark. */
export function showsWork(timeline: Timeline, request: TimelineRequest): boolean {
  return itemOf(timeline, request) !== undefined || isWishedTwice(timeline, request);
}

/** What the caller did where nothing failed; undefined: the run has no such scenario, or this is it. */
export function plainUseOf(timeline: Timeline, run: readonly Timeline[]): Timeline | undefined {
  return run.find((each) => each.scenario === 'plain-use' && each !== timeline);
}

const byText = perTimeline((timeline) => Map.groupBy(everyChat(timeline), lastUserText));

/** How often a caller sent the text of a request there. */
export function timesInPlainUse(
  timeline: Timeline,
  run: readonly Timeline[],
  request: TimelineRequest,
): number {
  const plain = plainUseOf(timeline, run);
  const text = lastUserText(request);
  return plain === undefined || text === undefined ? 0 : (byText(plain).get(text)?.length ?? 0);
}

interface WorkIndex {
  readonly byWork: ReadonlyMap<string, readonly TimelineRequest[]>;
  readonly byKey: ReadonlyMap<string, readonly TimelineRequest[]>;
}

const indexed = perTimeline((timeline): WorkIndex => {
  const chats = everyChat(timeline);
  const worked = Map.groupBy(chats, (chat) => workOf(timeline, chat) ?? '');
  const keyed = Map.groupBy(chats, ({ idempotencyKey }) => idempotencyKey ?? '');
  worked.delete('');
  keyed.delete('');
  return { byWork: worked, byKey: keyed };
});

/** The chats for the same work as one, itself left out, at the service and elsewhere, in order. */
export const chatsForWorkOf = perRequest((timeline, request): readonly TimelineRequest[] => {
  const { byWork, byKey } = indexed(timeline);
  const worked = byWork.get(workOf(timeline, request) ?? '') ?? [];
  const keyed = byKey.get(request.idempotencyKey ?? '') ?? [];
  return [...new Set([...worked, ...keyed])]
    .filter((one) => one !== request && sameWork(timeline, request, one) !== undefined)
    .toSorted((one, other) => one.n - other.n);
});
