import type { Recording } from '../journal/recording.ts';
import type { Exchange } from '../model/exchange.ts';
import { isDecision, isSameFailure, kindOf, kindText } from '../model/ruling.ts';
import { exchangesOf, FATES, isSameInput, type RememberedFailure } from '../model/stimulus.ts';
import type { CheckResult } from '../model/summary.ts';
import { bySize, type Failure, type Findings, firstOfEachKind, type JudgedCriterion } from './findings.ts';

/** What was drawn for an exchange: for one that several trials share, in the first of them. */
export function inputBehind({ id }: Exchange, { trials }: Recording) {
  return trials.find(({ trial }) => exchangesOf(trial).some((each) => each.id === id))?.trial.input;
}

/**
 * The IDs of the answered exchanges that invariants decide although they were not selected: what was selected decided
 * nothing on them, or failed on their input before, and perhaps fails differently.
 */
export function leftToOthers(findings: Findings, selected: readonly string[]): ReadonlySet<string> {
  const { judged } = findings;
  const { run, trials } = findings.recording;
  const asked = judged.filter(({ isInvariant, of }) => !isInvariant || selected.includes(of.id));
  const ids = new Set(asked.map(({ of }) => of.id));
  const before = (run.remembered ?? []).filter(({ check }) => ids.has(check));
  const left = trials.filter(({ entry, trial }) => {
    const rulings = Object.values(entry.rulings);
    const isDoubted = rulings.some((ruling) => 'kind' in ruling && ruling.kind === 'inconclusive');
    const isOpen = isDoubted && !rulings.some(isDecision);
    return (
      areAnswered(trial.exchanges) && (isOpen || before.some(({ input }) => isSameInput(input, trial.input)))
    );
  });
  return new Set(left.flatMap(({ trial }) => exchangesOf(trial)).map(({ id }) => id));
}

/** What became of each kind of failure that a check or an invariant had in earlier runs: the worst of its inputs. */
export function fatesOf(judged: JudgedCriterion, findings: Findings): Pick<CheckResult, 'before'> {
  const kinds = Map.groupBy(rememberedOf(judged, findings), kindText);
  const before = [...kinds.values()].flatMap((same) => {
    const fates = new Set(same.map((failure) => fateOf(failure, judged, findings)));
    const fate = FATES.find((each) => fates.has(each));
    return fate === undefined ? [] : same.slice(0, 1).map((failure) => ({ ...kindOf(failure), fate }));
  });
  return before.length === 0 ? {} : { before };
}

/** What fails in another way on the same input is not fixed. */
function fateOf(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings) {
  const isStill = judged.failed.some(
    (each) =>
      isSameFailure(each.finding, failure) ||
      inputsOf(each, findings).some((input) => isSameInput(input, failure.input)),
  );
  if (isStill) return 'still fails';
  return isDecided(failure, judged, findings) ? 'fixed' : 'undecided';
}

function rememberedOf({ of }: JudgedCriterion, { recording }: Findings): readonly RememberedFailure[] {
  return (recording.run.remembered ?? []).filter(({ check }) => check === of.id);
}

/**
 * Whether it was seen that it is fixed, or that it is not: its input was sent again, and what came can be judged. What
 * compares exchanges, and a failure without an input, only a whole run decides, no smaller than half of that in which it failed.
 */
function isDecided(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings): boolean {
  const { input, draws = 0 } = failure;
  const { recording, draws: now } = findings;
  const { of, tally, isInvariant } = judged;
  const isWhole = recording.run.selected === undefined && now.length >= draws / 2;
  if (input === undefined) return isWhole && tally.exchanges > 0;
  if (of.ofWholeRun === true && !isWhole) return false;
  return isInvariant
    ? recording.trials.some(({ trial }) => isSameInput(trial.input, input) && areAnswered(exchangesOf(trial)))
    : tally.ruled.some(({ trial, ruling }) => isSameInput(trial.input, input) && isDecision(ruling));
}

/** What was drawn for a failure, and for it before it was simplified. */
function inputsOf({ trial, original }: Failure, { recording }: Findings) {
  const [exchange] = trial.exchanges;
  const input = trial.input ?? (exchange && inputBehind(exchange, recording));
  return original === undefined ? [input] : [input, original];
}

/** How many failures of a check are remembered. */
const MOST_REMEMBERED = 20;

/** What is not fixed, for the next run to send it first: each kind of failure and the smallest inputs before the others. */
export function stillRemembered(judged: JudgedCriterion, findings: Findings): readonly RememberedFailure[] {
  const { of, failed } = judged;
  const now = [...firstOfEachKind(failed), ...failed.toSorted(bySize)].flatMap((failure) => {
    const kind = { check: of.id, ...kindOf(failure.finding), draws: findings.draws.length };
    return inputsOf(failure, findings).map((input) => ({ ...kind, ...(input !== undefined && { input }) }));
  });
  const undecided = rememberedOf(judged, findings).filter((each) => !isDecided(each, judged, findings));
  const equal = Map.groupBy(
    [...now, ...undecided],
    ({ input, ...kind }) => `${kindText(kind)} ${input?.stimulus} ${input?.text}`,
  );
  return [...equal.values()].flatMap((same) => same.slice(0, 1)).slice(0, MOST_REMEMBERED);
}

function areAnswered(exchanges: readonly Exchange[]): boolean {
  return exchanges.length > 0 && exchanges.every(({ outcome }) => outcome.kind === 'answered');
}
