import { isDeepStrictEqual } from 'node:util';
import { isOpenPointName, OPEN_POINTS } from '../../../fixtures/clauses/open-points.ts';
import type { JsonReport } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';
import { pinSchema } from './read-profile.ts';

/**
 * Pins every open point to what a run observed, if that was always the same. Of `before`, facts are kept, and the pins
 * of points that the run did not observe, or that only a person can pin.
 */
export function learnProfile(report: JsonReport, before: Profile = {}) {
  const byReason = Map.groupBy(report.open, reasonNotToPin);
  const pinned = byReason.get(undefined) ?? [];
  const varied = new Set<string>(report.open.flatMap((seen) => (seen.varied === true ? seen.point : [])));
  const old = Object.entries(before.pins ?? {});
  const kept = old.filter(([name]) => !varied.has(name));
  const learned = pinned.map(({ point, observed }) => [point, observed] as const);
  const pins = Object.fromEntries([...kept, ...learned]);
  const changes = old.flatMap(([name, was]) =>
    isDeepStrictEqual(was, pins[name])
      ? []
      : `changed: ${name} ${JSON.stringify(was)} → ${JSON.stringify(pins[name]) ?? 'no pin'}`,
  );
  const notes = [...byReason].flatMap(([reason, seen]) => {
    const points = seen.map(({ point }) => point).join(', ');
    return reason === undefined ? [] : `not learned because ${reason}: ${points}`;
  });
  return {
    profile: { ...before, pins },
    /** Where it comes from, what it changes, and what it leaves out. */
    notes: [originOf(report), ...changes, ...notes],
  };
}

/** These would differ the next time although nothing changed. */
const MOMENTARY: ReadonlySet<string> = new Set(['limits.retry_after']);

function reasonNotToPin({ point, observed, varied }: JsonReport['open'][number]): string | undefined {
  if (!isOpenPointName(point)) return 'this release does not know it';
  if (varied === true) return 'it varied';
  if (MOMENTARY.has(point)) return 'it changes from one moment to the next';
  return pinSchema(OPEN_POINTS[point].value).safeParse(observed).success
    ? undefined
    : 'the observation was unclear';
}

function originOf({ target, startedAt, seed }: JsonReport): string {
  const where = target.kind === 'mock' ? 'the mock' : target.baseUrl;
  return `learned from a run against ${where} at ${startedAt}, seed ${seed}`;
}

export function profileText({ profile, notes }: ReturnType<typeof learnProfile>): string {
  const file = { format: 'chat-conformance/profile', version: 1, notes, ...profile };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
