import { isDeepStrictEqual } from 'node:util';
import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { decidedDuties, type DecidedDuties, type Decides } from '../model/ruling.ts';
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
  const { broken, held, unreadable, failures, observations, notExercised } = tally;
  if (broken !== undefined)
    return { verdict: 'error', reason: `internal error: ${broken.name}: ${broken.message}` };
  const [failure] = failures;
  if (failure !== undefined) {
    if (level === 'open') return { verdict: 'error', reason: 'internal error: an open point was asserted' };
    const { expected, actual } = failure.finding;
    const count = `${failures.length} of ${failures.length + held} trials`;
    const reason = `expected ${expected}; got ${actual} (${count})`;
    return { verdict: level === 'convention' ? 'warn' : 'fail', reason };
  }
  const [mismatch] = pinMismatches(observations, profile);
  if (mismatch !== undefined) {
    const { path = '', actual } = mismatch.finding;
    const pinned = JSON.stringify(profile.pins?.[path]);
    return { verdict: 'fail', reason: `the profile pins ${path} to ${pinned}; got ${actual}` };
  }
  const { reason = 'no answer came of the kind that it judges', hint } = notExercised ?? {};
  const hinted = hint === undefined ? {} : { hint };
  // What holds of the few answers that could be read says little of the others.
  if (held > 0 && unreadable > held)
    return {
      verdict: 'inconclusive',
      reason: `held ${held}, unreadable ${unreadable}: ${reason}`,
      ...hinted,
    };
  if (held > 0 || observations.some(({ point }) => isPinned(point, profile)))
    return { verdict: 'pass', reason: '' };
  if (observations.length > 0) return { verdict: 'observed', reason: 'the specification leaves it open' };
  if (tally.inconclusive !== undefined) return { verdict: 'inconclusive', reason: tally.inconclusive };
  return { verdict: 'not-exercised', reason, ...hinted };
}

/** The same of a check that the user declared, whose error is the user's: with the line that threw it. */
export function ownVerdictOf(tally: Tally, level: Level, profile: Profile): VerdictWithReason {
  if (tally.broken === undefined) return verdictOf(tally, level, profile);
  const { name, message, stack = '' } = tally.broken;
  const [place] = stack.split('\n').flatMap(placeIn);
  const where = place === undefined ? '' : ` (${place})`;
  return { verdict: 'error', reason: `this check of yours threw ${name}: ${message}${where}` };
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

/** Every observation that is not what the profile pins its point to. */
export function pinMismatches(
  observations: readonly TrialObservation[],
  profile: Profile,
): readonly Failure[] {
  return observations.flatMap(({ point, value, trial }) => {
    const pinned = profile.pins?.[point];
    if (!isPinned(point, profile) || isDeepStrictEqual(pinned, value)) return [];
    const expected = `${JSON.stringify(pinned)}, as the profile pins it`;
    return { trial, finding: { code: 'drift', path: point, expected, actual: JSON.stringify(value) } };
  });
}

function isPinned(point: string, { pins = {} }: Profile): boolean {
  return Object.hasOwn(pins, point);
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
  const bearing = duties.map((duty) => ({
    duty,
    ruled: tally.ruled.filter(({ ruling }) => 'duties' in ruling && ruling.duties?.includes(duty)),
  }));
  // Where nothing bore on any of them, the check says why.
  const isSeen = tally.held > 0 || bearing.some(({ ruled }) => ruled.length > 0);
  const unseen = isSeen ? NOTHING_BORE_ON_IT : judge(tally);
  return {
    duties: bearing.map(({ duty, ruled }) =>
      dutyResult(duty, ruled.length === 0 ? unseen : judge(tallyOf(ruled))),
    ),
  };
}

function dutyResult(duty: string, { verdict, reason }: VerdictWithReason): DutyResult {
  return { duty, verdict, reason };
}

const NOTHING_BORE_ON_IT = { verdict: 'not-exercised', reason: 'nothing that was sent bears on it' } as const;
