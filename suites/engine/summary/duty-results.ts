import { decidedDuties, type DecidedDuties, type Decides } from '../model/ruling.ts';
import type { CheckResult, DutyResult } from '../model/summary.ts';
import type { VerdictWithReason } from './check-verdict.ts';
import type { Tally } from './tally.ts';

/** What a check says of each duty that it decides, judged as the check itself: by the trials that bear on it. */
export function dutyResults(
  decides: Decides<never> | DecidedDuties | undefined,
  tally: Tally,
  judge: (tally: Tally) => VerdictWithReason,
): Pick<CheckResult, 'duties'> {
  if (decides === undefined) return {};
  const duties = decidedDuties(decides);
  if (typeof duties === 'string') return { duties: [dutyResult(duties, judge(tally))] };
  // Where nothing bore on any of them, the check says why.
  const unseen = tally.duties.size > 0 || tally.held > 0 ? NOTHING_BORE_ON_IT : judge(tally);
  return {
    duties: duties.map((duty) => {
      const own = tally.duties.get(duty);
      return dutyResult(duty, own === undefined ? unseen : judge(own));
    }),
  };
}

function dutyResult(duty: string, { verdict, reason }: VerdictWithReason): DutyResult {
  return { duty, verdict, reason };
}

const NOTHING_BORE_ON_IT = { verdict: 'not-exercised', reason: 'nothing that was sent bears on it' } as const;
