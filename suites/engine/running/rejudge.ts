import { recordedCriterion } from '../journal/entries.ts';
import type { JudgedTrial, Recording } from '../journal/recording.ts';
import type { Check, Invariant } from '../model/check.ts';
import { notExercised } from '../model/ruling.ts';
import type { TargetInfo } from '../model/target.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { missingAnswer, rulingOf } from './judge-trial.ts';

/** A run as its checks ruled then. If it was killed, `invariants` judge its exchanges now. */
export function judgedThen(recording: Recording, invariants: readonly Invariant[]): Recording {
  const { info, record, finished } = recording;
  if (finished !== undefined || info === undefined) return recording;
  return { ...recording, invariants: judgeInvariants(invariants, record, info) };
}

/** Judges a recorded run again, without a request: each check judges every trial of the stimulus of its name. */
export function rejudge(recording: Recording, checks: readonly Check[], invariants: readonly Invariant[]) {
  const { run, info, record, trials } = recording;
  const ruled = info === undefined ? [] : trials.map((each) => ruledAgain(each, checks, info));
  const there = new Set(ruled.map(({ entry }) => entry.stimulus));
  const absent = checks.filter(({ given }) => !there.has(given.name));
  const asked = { checks: checks.map(recordedCriterion), invariants: invariants.map(recordedCriterion) };
  return {
    ...recording,
    run: { ...run, ...asked },
    trials: [...ruled, ...absent.map(withoutTrial)],
    invariants: info === undefined ? [] : judgeInvariants(invariants, record, info),
  };
}

/** Only the check whose failure a trial simplifies judges it. */
function ruledAgain({ entry, trial }: JudgedTrial, checks: readonly Check[], info: TargetInfo): JudgedTrial {
  const { stimulus, simplifies } = entry;
  // What was judged then may have been too much to be kept.
  const missing = entry.missing ?? missingAnswer(trial);
  const asked = checks.filter(({ id, given }) => given.name === stimulus && (simplifies?.check ?? id) === id);
  const rulings = asked.map((check) => [check.id, rulingOf(check, trial, info, missing)]);
  return { entry: { ...entry, rulings: Object.fromEntries(rulings) }, trial };
}

function withoutTrial({ id, given: { name } }: Check): JudgedTrial {
  const rulings = { [id]: notExercised(`the journal has no trial of ${name}`) };
  const place = { id: name, stimulus: name, nth: 0 };
  const entry = { type: 'trial', ...place, exchanges: [], data: {}, rulings } as const;
  return { entry, trial: { exchanges: [] } };
}
