import { isOpenPointName, OPEN_POINTS } from '../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../model/profile.ts';
import type { ReadReport } from '../reporting/report-schema.ts';
import { pinSchema } from './read-profile.ts';

/** A profile and what there is to say about how it came to be. */
export interface LearnedProfile {
  readonly profile: Profile;
  readonly notes: readonly string[];
}

/** What depends on the moment: it would differ the next time although nothing changed. */
const MOMENTARY: ReadonlySet<string> = new Set(['limits.retry_after']);

/** Why an observation is no pin; undefined when it is one. */
function objection({ point, observed, varied }: ReadReport['open'][number]): string | undefined {
  if (!isOpenPointName(point)) return 'this release does not know it';
  if (varied === true) return 'it varied';
  if (MOMENTARY.has(point)) return 'it depends on the moment';
  return pinSchema(OPEN_POINTS[point].value).safeParse(observed).success
    ? undefined
    : 'nothing clear was seen';
}

/**
 * Pins every open point to what a run observed, where that was always the same. What `before` says beside is kept: its
 * facts, and the pins of points that the run did not see.
 */
export function learnProfile(report: ReadReport, before: Profile = {}): LearnedProfile {
  const observed = report.open.map((seen) => ({ ...seen, objection: objection(seen) }));
  const learned = observed.filter((seen) => seen.objection === undefined);
  const left = new Set(observed.filter((seen) => seen.objection !== undefined).map(({ point }) => point));
  const kept = Object.entries(before.pins ?? {}).filter(([point]) => !left.has(point));
  const pins = { ...Object.fromEntries(kept), ...pinsOf(learned) };
  const reasons = Map.groupBy(observed, (seen) => seen.objection);
  const notes = [...reasons].flatMap(([reason, seen]) =>
    reason === undefined ? [] : [`not pinned, since ${reason}: ${seen.map(({ point }) => point).join(', ')}`],
  );
  return { profile: { ...before, pins }, notes: [originOf(report), ...notes] };
}

function pinsOf(open: ReadReport['open']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(open.map(({ point, observed }) => [point, observed]));
}

function originOf({ target, startedAt, seed }: ReadReport): string {
  const where = target.kind === 'mock' ? 'the mock' : target.baseUrl;
  return `learned from a run against ${where} at ${startedAt}, seed ${seed}`;
}

/** The text of the file. */
export function profileText({ profile, notes }: LearnedProfile): string {
  const file = { format: 'chat-conformance/profile', version: 1, notes, ...profile };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
