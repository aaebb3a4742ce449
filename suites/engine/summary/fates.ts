import type { Recording } from '../journal/recording.ts';
import type { Exchange } from '../model/exchange.ts';
import { isSameFailure, kindOf, kindText, type Ruling } from '../model/ruling.ts';
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
import { bySize, type Failure, type Findings, firstOfEachKind, type JudgedCriterion } from './findings.ts';

/** What was drawn for an exchange: for one that several trials share, in the first of them. */
export function inputBehind({ id }: Exchange, { trials }: Recording): DrawnInput | undefined {
  return trials.find(({ trial }) => exchangesOf(trial).some((each) => each.id === id))?.trial.input;
}

/**
 * The IDs of the answered exchanges that say more than what was selected judges: that bears on their input and decides
 * nothing, which is then left to an invariant, or it failed before, and perhaps fails differently.
 */
export function leftToOthers(
  { recording: { run, trials }, judged }: Findings,
  selected: readonly string[],
): ReadonlySet<string> {
  const checks = judged.filter(({ isInvariant }) => !isInvariant);
  const asked = new Set([...checks.map(({ of }) => of.id), ...selected]);
  const again = (run.remembered ?? []).flatMap(({ check, input }) => (asked.has(check) && input) || []);
  const decided = new Set(checks.flatMap(decidedOn).map(keyOf));
  const doubted = checks.flatMap((each) => inputsOf(each, ['inconclusive'])).map(keyOf);
  const left = new Set([...again.map(keyOf), ...doubted.filter((key) => !decided.has(key))]);
  const saying = trials.filter(
    ({ trial: { input, exchanges } }) => input && left.has(keyOf(input)) && exchanges.every(isAnswered),
  );
  return new Set(saying.flatMap(({ trial }) => exchangesOf(trial)).map(({ id }) => id));
}

function keyOf({ stimulus, text }: DrawnInput): string {
  return `${stimulus} ${text}`;
}

/** What was drawn for the trials on which a check decided. */
function decidedOn(judged: JudgedCriterion): readonly DrawnInput[] {
  const simplest = judged.tally.failures.flatMap(({ trial }) => trial.input ?? []);
  return [...inputsOf(judged, ['holds', 'observed', 'violated']), ...simplest];
}

/** What was drawn for the trials on which it ruled in one of these ways. */
function inputsOf({ tally }: JudgedCriterion, kinds: readonly Ruling['kind'][]): readonly DrawnInput[] {
  const ruled = tally.ruled.filter(({ ruling }) => 'kind' in ruling && kinds.includes(ruling.kind));
  return ruled.flatMap(({ trial }) => trial.input ?? []);
}

/** What became of each kind of failure that a check or an invariant had in earlier runs: the worst of its inputs. */
export function fatesOf(judged: JudgedCriterion, findings: Findings): Pick<CheckResult, 'before'> {
  const before = [...Map.groupBy(rememberedOf(judged, findings), kindText).values()].flatMap((same) => {
    const fates = new Set(same.map((failure) => fateOf(failure, judged, findings)));
    const fate = FATES.find((each) => fates.has(each));
    return fate === undefined ? [] : same.slice(0, 1).map((failure) => ({ ...kindOf(failure), fate }));
  });
  return before.length === 0 ? {} : { before };
}

function rememberedOf({ of }: JudgedCriterion, { recording }: Findings): readonly RememberedFailure[] {
  return (recording.run.remembered ?? []).filter(({ check }) => check === of.id);
}

/** How many failures of a check are remembered. */
const MOST_REMEMBERED = 20;

/** What is not fixed, for the next run to send it first: each kind of failure and the smallest inputs before the others. */
export function stillRemembered(judged: JudgedCriterion, findings: Findings): readonly RememberedFailure[] {
  const { of, failed } = judged;
  const now = [...firstOfEachKind(failed), ...failed.toSorted(bySize)].flatMap(
    ({ finding, trial, original }) => {
      const kind = { check: of.id, ...kindOf(finding), draws: findings.draws.length };
      const [exchange] = trial.exchanges;
      const input = trial.input ?? (exchange && inputBehind(exchange, findings.recording));
      const inputs = original === undefined ? [input] : [input, original];
      return inputs.map((each) => ({ ...kind, ...(each !== undefined && { input: each }) }));
    },
  );
  const undecided = rememberedOf(judged, findings).filter((each) => !isDecided(each, judged, findings));
  const equal = Map.groupBy(
    [...now, ...undecided],
    ({ input, ...kind }) => `${kindText(kind)} ${input && keyOf(input)}`,
  );
  return [...equal.values()].flatMap((same) => same.slice(0, 1)).slice(0, MOST_REMEMBERED);
}

function fateOf(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings): Fate {
  const { failed } = judged;
  if (failed.some(({ finding }) => isSameFailure(finding, failure))) return 'still fails';
  const again = sentAgain(failure, findings);
  if (isDecided(failure, judged, findings)) return areIn(again, failed) ? 'fails differently' : 'fixed';
  if (failure.input === undefined || isAnsweredIn(failure, judged, findings)) return 'not seen again';
  const all = findings.judged.flatMap(({ tally }) => tally.failures);
  if (areIn(again, all)) return 'fails differently';
  const isSent = again.flatMap(exchangesOf).some(({ outcome }) => outcome.kind !== 'not-sent');
  return isSent ? 'undecided' : 'not sent again';
}

/** Whether it was seen that it is fixed, or that it is not. */
function isDecided(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings): boolean {
  const { input, draws = 0 } = failure;
  const { recording, draws: now } = findings;
  const isWhole = recording.run.selected === undefined && now.length >= draws / 2;
  if (input === undefined) return isWhole && judged.tally.exchanges > 0;
  return (isWhole || judged.of.ofWholeRun !== true) && isAnsweredIn(failure, judged, findings);
}

/** Whether its input was sent again, and answers came that could be judged. */
function isAnsweredIn(failure: RememberedFailure, judged: JudgedCriterion, findings: Findings): boolean {
  if (!judged.isInvariant) return decidedOn(judged).some((input) => isSameInput(input, failure.input));
  return sentAgain(failure, findings).some(
    (trial) => trial.exchanges.length > 0 && exchangesOf(trial).every(isAnswered),
  );
}

/** The trials of its input. */
function sentAgain({ input }: RememberedFailure, { recording }: Findings): readonly Trial[] {
  return recording.trials.flatMap(({ trial }) => (isSameInput(trial.input, input) ? trial : []));
}

function areIn(trials: readonly Trial[], failures: readonly Failure[]): boolean {
  const ids = new Set(trials.flatMap(exchangesOf).map(({ id }) => id));
  return failures.some(({ trial }) => trial.exchanges.some(({ id }) => ids.has(id)));
}

function isAnswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered';
}
