import type { Exchange } from '../model/exchange.ts';
import { isSameFailure, kindOf, kindText } from '../model/ruling.ts';
import {
  exchangesOf,
  type Trial,
  type DrawnInput,
  type Fate,
  FATES,
  isSameInput,
  type RememberedFailure,
} from '../model/stimulus.ts';
import type { CheckResult } from '../model/summary.ts';
import type { Findings, JudgedCriterion } from './findings.ts';
import { bySize, decidedOn, type Failure, firstOfEachKind } from './tally.ts';

/** What was drawn for an exchange: for one that several trials share, in the first of them. */
export function inputBehind({ id }: Exchange, trials: readonly Trial[]): DrawnInput | undefined {
  const isIn = ({ exchanges, counterpart }: Trial): boolean =>
    counterpart?.id === id || exchanges.some((exchange) => exchange.id === id);
  return trials.find(isIn)?.input;
}

/**
 * The IDs of the answered exchanges that say more than what was selected judges: that bears on their input and decides
 * nothing, which is then left to an invariant, or it failed before, and perhaps fails differently.
 */
export function leftToOthers(
  { recording: { run }, trials, judged }: Findings,
  selected: ReadonlySet<string>,
): ReadonlySet<string> {
  const checks = judged.filter(({ isInvariant }) => !isInvariant);
  const asked = new Set([...checks.map(({ of }) => of.id), ...selected]);
  const failed = (run.remembered ?? []).filter(({ check }) => asked.has(check));
  const again = keysOf(failed.flatMap(({ input }) => input ?? []));
  const decided = keysOf(checks.flatMap(({ tally }) => decidedOn(tally)));
  const doubted = keysOf(checks.flatMap(({ tally }) => tally.doubtedOn));
  const isLeft = (key: string): boolean => again.has(key) || (doubted.has(key) && !decided.has(key));
  return new Set(
    trials
      .filter(({ input, exchanges }) => input && isLeft(keyOf(input)) && exchanges.every(isAnswered))
      .flatMap(exchangesOf)
      .map(({ id }) => id),
  );
}

function keysOf(inputs: readonly DrawnInput[]): ReadonlySet<string> {
  return new Set(inputs.map(keyOf));
}

function keyOf({ stimulus, text }: DrawnInput): string {
  return `${stimulus} ${text}`;
}

/** What became of each kind of failure that a check or an invariant had in earlier runs: the worst of its inputs. */
export function fatesOf(judged: JudgedCriterion, findings: Findings): Pick<CheckResult, 'before'> {
  const earlier = rememberedBy(findings).filter(({ check }) => check === judged.of.id);
  const before = [...Map.groupBy(earlier, kindText).values()].flatMap((same) => {
    const fates = new Set(same.map((failure) => fateOf(failure, judged, findings)));
    const fate = FATES.find((each) => fates.has(each));
    return fate === undefined ? [] : same.slice(0, 1).map((failure) => ({ ...kindOf(failure), fate }));
  });
  return before.length === 0 ? {} : { before };
}

function rememberedBy({ recording }: Findings): readonly RememberedFailure[] {
  return recording.run.remembered ?? [];
}

/** How many failures of a check are remembered. */
const MOST_REMEMBERED = 20;

/** What is not fixed, for the next run to send it first: each kind of failure and the smallest inputs before the others. */
export function stillRemembered(judged: JudgedCriterion, findings: Findings): readonly RememberedFailure[] {
  const undecided = rememberedBy(findings).filter(
    (failure) => failure.check === judged.of.id && !isDecided(failure, judged, findings),
  );
  const kept = new Map<string, RememberedFailure>();
  const all = function* (): Iterable<RememberedFailure> {
    yield* failuresNow(judged, findings);
    yield* undecided;
  };
  for (const failure of all()) {
    if (kept.size === MOST_REMEMBERED) break;
    const key = `${kindText(failure)} ${failure.input && keyOf(failure.input)}`;
    kept.set(key, kept.get(key) ?? failure);
  }
  return [...kept.values()];
}

function* failuresNow(
  { of, failed }: JudgedCriterion,
  { trials, draws }: Findings,
): Iterable<RememberedFailure> {
  for (const { finding, trial, original } of [...firstOfEachKind(failed), ...failed.toSorted(bySize)]) {
    const kind = { check: of.id, ...kindOf(finding), draws: draws.begun };
    const [exchange] = trial.exchanges;
    const input = trial.input ?? (exchange && inputBehind(exchange, trials));
    yield { ...kind, ...(input !== undefined && { input }) };
    if (original !== undefined) yield { ...kind, input: original };
  }
}

function fateOf(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings): Fate {
  const { failed } = judged;
  if (failed.some(({ finding }) => isSameFailure(finding, failure))) return 'still fails';
  const again = findings.trials.filter(({ input }) => isSameInput(input, failure.input));
  const all = findings.judged.flatMap(({ tally }) => tally.failures);
  if (isDecided(failure, judged, findings)) return areIn(again, failed) ? 'fails differently' : 'fixed';
  if (failure.input === undefined || isAnsweredIn(failure, judged, findings)) return 'not seen again';
  if (areIn(again, all)) return 'fails differently';
  const isSent = again.flatMap(exchangesOf).some(({ outcome }) => outcome.kind !== 'not-sent');
  return isSent ? 'undecided' : 'not sent again';
}

/** Whether it was seen that it is fixed, or that it is not. */
function isDecided(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings): boolean {
  const { input, draws = 0 } = failure;
  const { recording, draws: now } = findings;
  const isWhole = recording.run.selected === undefined && now.begun >= draws / 2;
  if (input === undefined) return isWhole && judged.tally.exchanges > 0;
  return (isWhole || judged.of.ofWholeRun !== true) && isAnsweredIn(failure, judged, findings);
}

/** Whether its input was sent again, and answers came that could be judged. */
function isAnsweredIn({ input }: RememberedFailure, judged: JudgedCriterion, findings: Findings): boolean {
  const answered = findings.trials.filter(
    (trial) => trial.exchanges.length > 0 && exchangesOf(trial).every(isAnswered),
  );
  const inputs = judged.isInvariant ? answered.map((trial) => trial.input) : decidedOn(judged.tally);
  return inputs.some((each) => isSameInput(each, input));
}

function areIn(trials: readonly Trial[], failures: readonly Failure[]): boolean {
  const ids = new Set(trials.flatMap(exchangesOf).map(({ id }) => id));
  return failures.some(({ trial }) => trial.exchanges.some(({ id }) => ids.has(id)));
}

function isAnswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered';
}
