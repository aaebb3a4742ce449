import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import type { CallerCheck } from '../../suites/caller/judge-caller.ts';
import { failedChats } from '../../suites/caller/observed/chats.ts';
import type { Timeline } from '../../suites/caller/observed/timeline.ts';
import { inconclusive, type Ruling } from '../../suites/kit/model/ruling.ts';

/** Nobody opens the workspace, finds a request in it and sends its work again sooner than this. */
const QUICKEST_LOOKUP_MS = 10_000;

/** The timeline as it would be if every lost request had been looked up, and found to be free, where that is possible. */
function withLookups(timeline: Timeline): Timeline {
  const lookups = failedChats(timeline).map(({ knownAt = 0, requestId, idempotencyKey }) => ({
    at: knownAt + QUICKEST_LOOKUP_MS,
    about: idempotencyKey ?? requestId,
    states: new Map(),
  }));
  return { ...timeline, lookups: [...timeline.lookups, ...lookups].toSorted((a, b) => a.at - b.at) };
}

/** A proxy sees no workspace lookup: what a possible one would excuse is not blamed. */
function excused(check: CallerCheck, timeline: Timeline, run: readonly Timeline[]): Ruling {
  const ruling = check.judge(timeline, run);
  if (ruling.kind !== 'violated') return ruling;
  const best = withLookups(timeline);
  const other = check.judge(
    best,
    run.map((each) => (each === timeline ? best : each)),
  );
  return other.kind === 'violated'
    ? ruling
    : inconclusive(
        `${ruling.finding.actual}: it may have been looked up in the workspace, which does not pass by`,
      );
}

/** The judgements of callers, for what passes by. */
export const PROXY_CALLER_CHECKS: readonly CallerCheck[] = CALLER_CHECKS.map((check) => ({
  ...check,
  judge: (timeline, run) => excused(check, timeline, run),
}));
