import { isDeepStrictEqual } from 'node:util';
import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { decidedDuties, type DecidedDuties, type Decides, type Finding } from '../model/ruling.ts';
import type { CheckResult, DutyResult, Verdict } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';
import { type Failure, type Tally, tallyOf, type TrialObservation } from './tally.ts';

export interface VerdictWithReason {
  readonly verdict: Verdict;
  /** Empty only for `pass`. */
  readonly reason: string;
  readonly hint?: string;
}

export function verdictOf(tally: Tally, level: Level, profile: Profile): VerdictWithReason {
  if (tally.broken !== undefined)
    return { verdict: 'error', reason: `internal error: ${wordsOf(tally.broken)}` };
  const [failure] = tally.failures;
  if (failure !== undefined) return failed(failure.finding, tally, level);
  const [mismatch] = pinMismatches(tally.observations, profile);
  if (mismatch !== undefined) return { verdict: 'fail', reason: pinReason(mismatch) };
  if (tally.held > 0 && tally.unreadable > tally.held) return mostlyUnread(tally);
  if (tally.held > 0 || tally.observations.some(({ point }) => isPinned(point, profile)))
    return { verdict: 'pass', reason: '' };
  if (tally.observations.length > 0)
    return { verdict: 'observed', reason: 'the specification leaves it open' };
  if (tally.inconclusive !== undefined) return { verdict: 'inconclusive', reason: tally.inconclusive };
  const { reason, hint } = tally.notExercised ?? { reason: 'no answer came of the kind that it judges' };
  return { verdict: 'not-exercised', reason, ...(hint !== undefined && { hint }) };
}

function wordsOf({ name, message }: Error): string {
  return `${name}: ${message}`;
}

/** The same of a check that the user declared, whose error is the user's: with the line that threw it. */
export function ownVerdictOf(tally: Tally, level: Level, profile: Profile): VerdictWithReason {
  if (tally.broken === undefined) return verdictOf(tally, level, profile);
  const [place] = (tally.broken.stack ?? '').split('\n').flatMap(placeIn);
  const where = place === undefined ? '' : ` (${place})`;
  return { verdict: 'error', reason: `this check of yours threw ${wordsOf(tally.broken)}${where}` };
}

/** The file and the line that a line of a stack trace names. */
function placeIn(frame: string): readonly string[] {
  const [, path = '', line = ''] = /^(.*):(\d+):\d+\)?$/.exec(frame) ?? [];
  const file =
    path
      .split('?', 1)[0]
      ?.split(/[/\\\s()]/)
      .at(-1) ?? '';
  return /\.\w+$/.test(file) ? [`${file}:${line}`] : [];
}

/** What holds of the few answers that could be read says little of the others. */
function mostlyUnread({ held, unreadable, notExercised }: Tally): VerdictWithReason {
  const { reason = '', hint } = notExercised ?? {};
  return {
    verdict: 'inconclusive',
    reason: `held ${held}, unreadable ${unreadable}: ${reason}`,
    ...(hint !== undefined && { hint }),
  };
}

function failed(finding: Finding, tally: Tally, level: Level): VerdictWithReason {
  if (level === 'open') return { verdict: 'error', reason: 'internal error: an open point was asserted' };
  const count = `${tally.failures.length} of ${tally.failures.length + tally.held} trials`;
  const reason = `expected ${finding.expected}; got ${finding.actual} (${count})`;
  return { verdict: level === 'convention' ? 'warn' : 'fail', reason };
}

function pinReason({ point, pinned, finding }: PinMismatch): string {
  return `the profile pins ${point} to ${JSON.stringify(pinned)}; got ${finding.actual}`;
}

/** An open point at which the target does something other than its profile pins. */
export interface PinMismatch extends Failure {
  readonly point: string;
  readonly pinned: unknown;
}

/** Every observation that is not what the profile pins its point to. */
export function pinMismatches(
  observations: readonly TrialObservation[],
  profile: Profile,
): readonly PinMismatch[] {
  return observations.flatMap(({ point, value, trial }) => {
    if (!isPinned(point, profile)) return [];
    const pinned = profile.pins?.[point];
    if (isDeepStrictEqual(pinned, value)) return [];
    const expected = `${JSON.stringify(pinned)}, as the profile pins it`;
    return {
      point,
      pinned,
      trial,
      finding: { code: 'drift', path: point, expected, actual: JSON.stringify(value) },
    };
  });
}

function isPinned(point: string, { pins }: Profile): boolean {
  return pins !== undefined && Object.hasOwn(pins, point);
}

/** What a check says of each duty that it decides, judged as the check itself: by the trials that bear on it. */
export function dutyResults(
  decides: Decides<never> | DecidedDuties | undefined,
  tally: Tally,
  judge: (tally: Tally) => VerdictWithReason,
): Pick<CheckResult, 'duties'> {
  if (decides === undefined) return {};
  const duties = decidedDuties(decides);
  if (typeof duties === 'string') return { duties: [dutyResult(duties, judge(tally))] };
  const judged = tally.ruled.flatMap((each) =>
    each.ruling instanceof Error ? [] : { ...each, ...each.ruling },
  );
  const tallies = duties.map((duty) =>
    tallyOf(judged.filter((each) => each.duties?.includes(duty) === true)),
  );
  // Where nothing bore on any of them, the check says why.
  const isSeen = tally.held > 0 || tallies.some(({ ruled }) => ruled.length > 0);
  const unseen = isSeen ? NOTHING_BORE_ON_IT : judge(tally);
  return {
    duties: duties.map((duty, i) => {
      const own = tallies[i];
      return dutyResult(duty, own === undefined || own.ruled.length === 0 ? unseen : judge(own));
    }),
  };
}

function dutyResult(duty: string, { verdict, reason }: VerdictWithReason): DutyResult {
  return { duty, verdict, reason };
}

const NOTHING_BORE_ON_IT = { verdict: 'not-exercised', reason: 'nothing that was sent bears on it' } as const;
