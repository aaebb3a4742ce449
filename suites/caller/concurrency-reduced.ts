import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './judge-caller.ts';
import { chatsAtService, chatsFailedBy, isAfter } from './observed/chats.ts';
import { saysItCrashed } from './observed/crash-signs.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { inFlightAt, mayHaveCrossed, mostInFlight } from './observed/in-flight.ts';
import type { CallerEnd, TimelineRequest, Timeline } from './observed/timeline.ts';
import { chatsForWorkOf, itemOf, leftItems } from './observed/work.ts';

/** The first whose answer left, which need not have arrived first. */
function firstKnown(refused: readonly TimelineRequest[]): TimelineRequest | undefined {
  return refused.toSorted((one, other) => (one.knownAt ?? 0) - (other.knownAt ?? 0))[0];
}

/** What followed a rate limit error. */
interface Aftermath {
  readonly refused: TimelineRequest;
  /** The most in flight before: of what may have crossed the error, no more than the task asks for. */
  readonly before: number;
  /** The requests that were sent in the knowledge of the error, and how many were in flight when each arrived. */
  readonly later: readonly TimelineRequest[];
  readonly widths: readonly number[];
  /** Where in `later` each refused request was sent again; Infinity: never. Until then its slot may wait, in use. */
  readonly resent: readonly number[];
  /** How many requests the task asks for; undefined: the caller does not do it. */
  readonly asked: number | undefined;
}

function aftermathOf(timeline: Timeline, refused: TimelineRequest): Aftermath {
  const chats = chatsAtService(timeline);
  const first = chatsFailedBy(timeline, 'rate-limit').map((one) =>
    chatsForWorkOf(timeline, one).find((chat) => isAfter(chat, one)),
  );
  const isResent = new Set(first);
  const later = chats.filter(
    (chat) => isAfter(chat, refused) && (isResent.has(chat) || !mayHaveCrossed(timeline, chat, refused)),
  );
  const isLater = new Set(later);
  const asked = chats.some((chat) => itemOf(timeline, chat) !== undefined) ? timeline.atOnce : undefined;
  const early = mostInFlight(timeline, (chat) => !isAfter(chat, refused));
  const crossing = mostInFlight(timeline, (chat) => !isLater.has(chat));
  const places = new Map(later.map((chat, index) => [chat, index]));
  return {
    refused,
    before: Math.max(early, Math.min(crossing, asked ?? Infinity)),
    later,
    widths: later.map((chat) => inFlightAt(timeline, chat)),
    resent: first.map((again) => (again && places.get(again)) ?? Infinity),
    asked,
  };
}

/** Whether slots were free for as many requests as there were before, those that may wait to send again not counted. */
function isClearlyFewer({ widths, before, resent }: Aftermath, from: number, to: number): boolean {
  let free = 0;
  for (let place = from; place < to && free < before; place += 1) {
    const waiting = resent.filter((index) => index >= place).length;
    free = (widths[place] ?? 0) + waiting < before ? free + 1 : 0;
  }
  return free >= before;
}

/** A caller that stopped has nothing in flight; one that crashed did not choose to stop. */
function judgeStopped(end: CallerEnd): Ruling {
  const isOrderly = end.kind === 'exited' && (end.code === 0 || !saysItCrashed(end.output));
  return isOrderly
    ? HOLDS
    : notExercised('no request followed the rate limit error, and the caller did not choose to stop');
}

/** Judges a caller that never had as many in flight again. */
function judgeFewer(timeline: Timeline, aftermath: Aftermath): Ruling {
  const { widths, before, resent } = aftermath;
  const woken = Math.max(-1, ...resent.filter(Number.isFinite));
  if (isClearlyFewer(aftermath, 0, widths.length) || widths.length - 1 - woken >= before) return HOLDS;
  return leftItems(timeline)
    ? HOLDS
    : notExercised(
        'too few requests followed the rate limit error, apart from those that waited to be sent again',
      );
}

/** Whether a caller had reached its width, and kept it, before the error: it was not still growing. */
function hadSettled(timeline: Timeline, { refused, before, asked }: Aftermath): boolean {
  if (asked === undefined || before >= asked) return true;
  const full = chatsAtService(timeline).filter(
    (chat) => !isAfter(chat, refused) && inFlightAt(timeline, chat) >= before,
  );
  return full.length > before;
}

/** Judges a caller that had as many in flight again, from the request at `back` on. */
function judgeRegained(timeline: Timeline, aftermath: Aftermath, back: number): Ruling {
  const { refused, widths, before, later, resent } = aftermath;
  const isRaised = (widths[back] ?? 0) > before;
  if (!isRaised && isClearlyFewer(aftermath, 0, back))
    return back >= 2 * before ? HOLDS : inconclusive('it soon had as many in flight again');
  if (!isRaised && isClearlyFewer(aftermath, before, widths.length) && back < before)
    return inconclusive('it had as many in flight once more, and then fewer');
  const hasWoken = resent.some((index) => index <= back && index >= back - before);
  if (back >= before && !isRaised && !hasWoken)
    return inconclusive(
      'it had as many in flight again, and nothing shows whether that was the end of a wait',
    );
  if (!hadSettled(timeline, aftermath))
    return inconclusive(
      `only ${before} requests were in flight before the error: the caller may still have been growing`,
    );
  const actual = `${widths[back]} in flight after ${numbered(refused)} was refused`;
  return violatedBy(
    timeline,
    later[back] ?? refused,
    'not-reduced',
    `fewer than ${before} requests in flight`,
    actual,
  );
}

function judge(timeline: Timeline): Ruling {
  const refused = firstKnown(chatsFailedBy(timeline, 'rate-limit'));
  if (refused === undefined) return notExercised('it got no rate limit error');
  const aftermath = aftermathOf(timeline, refused);
  const { widths, before, asked = Infinity } = aftermath;
  if (widths.length === 0 && leftItems(timeline)) return judgeStopped(timeline.end);
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  // Soon more than before, and more than it was asked for, is no wait that ended.
  const raised = widths.slice(0, 3 * before).findIndex((width) => width > Math.max(before, asked));
  const back = raised === -1 ? widths.findIndex((width) => width >= before) : raised;
  return back === -1 ? judgeFewer(timeline, aftermath) : judgeRegained(timeline, aftermath, back);
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  judge,
};
