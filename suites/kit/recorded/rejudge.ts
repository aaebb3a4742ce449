import { rulingFrom } from '../journal/codecs.ts';
import type { RecordedTrial, Recording } from '../journal/read-journal.ts';
import type { Check } from '../model/check.ts';
import type { Invariant } from '../model/invariant.ts';
import { notExercised, type Ruling } from '../model/ruling.ts';
import type { TargetInfo } from '../model/target.ts';
import { missingAnswer, rulingOf } from '../running/judge-draw.ts';
import { judgeInvariants, tallyExchanges } from '../running/judge-invariants.ts';
import type { Findings, Criterion } from '../summary/summarise.ts';
import type { Tally } from '../summary/tally.ts';
import { findingsIn, type RuledTrial, tallyTrials } from './recorded-findings.ts';

/** Judges a recorded run again, without a request: each check judges every trial of the stimulus of its name. */
export function rejudge(
  recording: Recording,
  checks: readonly Check[],
  invariants: readonly Invariant[],
): Findings {
  const { info, record, trials } = recording;
  const ruled = info === undefined ? [] : trials.map((each) => ruleAgain(each, checks, info));
  const tallies = tallyTrials(
    checks.map(({ id }) => id),
    ruled,
  );
  for (const check of checks) noteAbsence(check, recording, tallies.get(check.id));
  const judged = info === undefined ? [] : [...judgeInvariants(invariants, record, info)];
  return findingsIn(recording, {
    checks: new Map(checks.flatMap((check) => pair(check, tallies.get(check.id)))),
    invariants: new Map(judged.map(([invariant, rulings]) => [invariant, tallyExchanges(rulings)])),
  });
}

function pair(judged: Criterion, tally: Tally | undefined): [Criterion, Tally][] {
  return tally === undefined ? [] : [[judged, tally]];
}

/** Only the check whose failure a trial simplifies judges it. */
function ruleAgain(each: RecordedTrial, checks: readonly Check[], info: TargetInfo): RuledTrial {
  const { entry, trial } = each;
  // What was judged then may have been too much to be kept.
  const missing = entry.missing === undefined ? missingAnswer(trial) : rulingFrom(entry.missing);
  const asked = checks.filter(
    ({ id, given }) =>
      given.name === entry.stimulus && (entry.simplifies === undefined || entry.simplifies.check === id),
  );
  const rulings = asked.map((check): [string, Ruling | Error] => [
    check.id,
    rulingOf(check, trial, info, missing),
  ]);
  return { ...each, rulings: new Map(rulings) };
}

function noteAbsence({ given }: Check, { trials, info }: Recording, tally: Tally | undefined): void {
  if (info !== undefined && trials.some(({ entry }) => entry.stimulus === given.name)) return;
  tally?.add(notExercised(`the journal has no trial of ${given.name}`), { exchanges: [] });
}
