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

/**
 * The IDs of the exchanges that say more than what was selected judges: nothing of that decided on their input, which is
 * then left to an invariant, or it failed before, and perhaps fails differently.
 */
export function leftToOthers(
  { checks, trials, remembered }: Findings,
  selected: ReadonlySet<string>,
): ReadonlySet<string> {
  const asked = new Set([...[...checks.keys()].map(({ id }) => id), ...selected]);
  const again = keysOf(remembered.flatMap(({ check, input }) => (asked.has(check) ? (input ?? []) : [])));
  const decided = keysOf([...checks.values()].flatMap((tally) => tally.decidedOn));
  const isLeft = (key: string): boolean => again.has(key) || (checks.size > 0 && !decided.has(key));
  return new Set(
    trials
      .filter(({ input }) => input !== undefined && isLeft(keyOf(input)))
      .flatMap(exchangesOf)
      .map(({ id }) => id),
  );
}

function exchangesOf({ exchanges, counterpart }: Trial): readonly Exchange[] {
  return counterpart === undefined ? exchanges : [counterpart, ...exchanges];
}

function keysOf(inputs: readonly DrawnInput[]): ReadonlySet<string> {
  return new Set(inputs.map(keyOf));
}

function keyOf({ stimulus, text }: DrawnInput): string {
  return `${stimulus} ${text}`;
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
      const fate = fateOf(failure, failed, isJudged(failure, tally, findings));
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
  { decidedOn }: Tally,
  { invariants, trials }: Findings,
): boolean {
  const isInvariant = [...invariants.keys()].some(({ id }) => id === check);
  const answered = trials.filter(({ exchanges }) => exchanges.length > 0 && exchanges.every(isAnswered));
  const judged = isInvariant ? answered.map((trial) => trial.input) : decidedOn;
  return judged.some((each) => isSameInput(each, input));
}

function isAnswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered';
}
