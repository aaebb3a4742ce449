import type { Exchange } from '../model/exchange.ts';
import { type DrawnInput, type Fate, isSameInput, type RememberedFailure } from '../model/remembered.ts';
import type { Trial } from '../model/stimulus.ts';
import type { CheckResult } from '../model/summary.ts';
import type { Findings } from './summarise.ts';
import type { Failure, Tally } from './tally.ts';

/** What was drawn for an exchange: for one that several trials share, in the first of them. */
export function inputBehind({ id }: Exchange, trials: readonly Trial[]): DrawnInput | undefined {
  const isIn = ({ exchanges, counterpart }: Trial): boolean =>
    counterpart?.id === id || exchanges.some((exchange) => exchange.id === id);
  return trials.find(isIn)?.input;
}

/** What became of the failures that a check or an invariant had in earlier runs. */
export function fatesOf(
  id: string,
  tally: Tally,
  failed: readonly Failure[],
  findings: Findings,
): Pick<CheckResult, 'before'> {
  const before = findings.remembered
    .filter(({ check }) => check === id)
    .map((failure) => {
      const { code, path } = failure;
      const fate = fateOf(failure, failed, isJudged(failure, tally, failed, findings));
      return { code, ...(path !== undefined && { path }), fate };
    });
  return before.length === 0 ? {} : { before };
}

function fateOf({ code, path }: RememberedFailure, failed: readonly Failure[], wasJudged: boolean): Fate {
  if (failed.some(({ finding }) => finding.code === code && finding.path === path)) return 'still fails';
  if (!wasJudged) return 'not sent again';
  return failed.length > 0 ? 'fails differently' : 'fixed';
}

/** Whether its input was sent again, and answers came that could be judged. */
function isJudged(
  { check, input }: RememberedFailure,
  { heldOn, observations }: Tally,
  failed: readonly Failure[],
  { invariants, trials }: Findings,
): boolean {
  const isInvariant = [...invariants.keys()].some(({ id }) => id === check);
  const judged = isInvariant
    ? trials.filter(({ exchanges }) => exchanges.length > 0 && exchanges.every(isAnswered))
    : [...observations, ...failed].map(({ trial }) => trial);
  return [...heldOn, ...judged.map((trial) => trial.input)].some((each) => isSameInput(each, input));
}

function isAnswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered';
}
