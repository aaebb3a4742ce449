import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { decidedDuties, type DecidedDuties, type Decides } from '../model/ruling.ts';
import type { CheckResult } from '../model/summary.ts';
import { type Tally, tallyOf } from './findings.ts';

/** The reason is empty only for `pass`. */
export type VerdictWithReason = Pick<CheckResult, 'verdict' | 'reason' | 'hint'>;

/** `isOwn`: the user declared the check. */
export function verdictOf(tally: Tally, level: Level, isOwn = false): VerdictWithReason {
  const { broken, held, unreadable, failures, drifts, observations, notExercised } = tally;
  if (broken !== undefined) return { verdict: 'error', reason: thrown(broken, isOwn) };
  const [failure] = failures;
  if (failure !== undefined) {
    if (level === 'open') return { verdict: 'error', reason: 'internal error: an open point was asserted' };
    const { expected, actual } = failure.finding;
    const count = `${failures.length} of ${failures.length + held} trials`;
    const reason = `expected ${expected}; got ${actual} (${count})`;
    return { verdict: level === 'convention' ? 'warn' : 'fail', reason };
  }
  const [drift] = drifts;
  if (drift !== undefined) {
    const { path = '', actual } = drift.finding;
    const pinned = JSON.stringify(tally.pins[path]);
    return { verdict: 'fail', reason: `the profile pins ${path} to ${pinned}; got ${actual}` };
  }
  const { reason = 'no answer came of the kind that it judges', hint } = notExercised ?? {};
  const hinted = hint === undefined ? {} : { hint };
  // What holds of the few answers that could be read says little of the others.
  if (held > 0 && unreadable > held) {
    const read = `held ${held}, unreadable ${unreadable}`;
    return { verdict: 'inconclusive', reason: `${read}: ${reason}`, ...hinted };
  }
  if (held > 0 || tally.isPinned) return { verdict: 'pass', reason: '' };
  if (observations.length > 0) return { verdict: 'observed', reason: 'the specification leaves it open' };
  if (tally.inconclusive !== undefined) return { verdict: 'inconclusive', reason: tally.inconclusive };
  return { verdict: 'not-exercised', reason, ...hinted };
}

/** A file and a line in a stack trace. */
const PLACE = /^([^:?]+\.\w+)(?:\?[^:]*)?:(\d+):\d+$/;

/** What threw: a failure of ours; or the user's, in a check that the user declared, with the line that threw it. */
function thrown({ name, message, stack = '' }: Error, isOwn: boolean): string {
  if (!isOwn) return `internal error: ${name}: ${message}`;
  const places = stack.split(/[/\\\s()]/).flatMap((word) => PLACE.exec(word) ?? []);
  const [, file, line] = places;
  const where = file === undefined ? '' : ` (${file}:${line})`;
  return `this check of yours threw ${name}: ${message}${where}`;
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
  const bearing = (duty: string) =>
    tally.ruled.filter(({ ruling }) => 'duties' in ruling && ruling.duties?.includes(duty));
  // Where nothing bore on any of them, the check says why.
  const isSeen = tally.held > 0 || duties.some((duty) => bearing(duty).length > 0);
  const unseen = isSeen ? NOTHING_BORE_ON_IT : judge(tally);
  return {
    duties: duties.map((duty) => {
      const ruled = bearing(duty);
      return dutyResult(duty, ruled.length === 0 ? unseen : judge(tallyOf(ruled, tally.pins)));
    }),
  };
}

const NOTHING_BORE_ON_IT = { verdict: 'not-exercised', reason: 'nothing that was sent bears on it' } as const;

function dutyResult(duty: string, { verdict, reason }: VerdictWithReason) {
  return { duty, verdict, reason };
}
