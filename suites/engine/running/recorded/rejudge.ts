import type { RecordedTrial, Recording } from '../../journal/read-journal.ts';
import type { Check } from '../../model/check.ts';
import type { Invariant } from '../../model/invariant.ts';
import type { TargetInfo } from '../../model/target.ts';
import type { Findings } from '../../summary/summarise.ts';
import { missingAnswer, rulingOf } from '../judge-draw.ts';
import { judgeInvariants, tallyExchanges } from '../judge-invariants.ts';
import { findingsIn, type Ruled, tallyTrials } from './recorded-findings.ts';

/** Judges a recorded run again, without a request: each check judges every trial of the stimulus of its name. */
export function rejudge(
  recording: Recording,
  checks: readonly Check[],
  invariants: readonly Invariant[],
): Findings {
  const { info, record, trials } = recording;
  const rule = (each: RecordedTrial) => (info === undefined ? [] : ruleAgain(each, checks, info));
  const judged = info === undefined ? [] : [...judgeInvariants(invariants, record, info)];
  return findingsIn(recording, {
    checks: tallyTrials(checks, trials, rule, (check) => whyAbsent(check, recording)),
    invariants: new Map(judged.map(([invariant, rulings]) => [invariant, tallyExchanges(rulings)])),
  });
}

/** Only the check whose failure a trial simplifies judges it. */
function ruleAgain(
  { entry, trial }: RecordedTrial,
  checks: readonly Check[],
  info: TargetInfo,
): readonly Ruled[] {
  // What was judged then may have been too much to be kept.
  const missing = entry.missing === undefined ? missingAnswer(trial) : entry.missing;
  const asked = checks.filter(
    ({ id, given }) =>
      given.name === entry.stimulus && (entry.simplifies === undefined || entry.simplifies.check === id),
  );
  return asked.map((check) => [check.id, rulingOf(check, trial, info, missing)]);
}

function whyAbsent({ given }: Check, { trials, info }: Recording): string | undefined {
  const isThere = info !== undefined && trials.some(({ entry }) => entry.stimulus === given.name);
  return isThere ? undefined : `the journal has no trial of ${given.name}`;
}
