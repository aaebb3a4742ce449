import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { ClauseId, Level } from '../../../fixtures/clauses/clauses.ts';
import { type Check, isOwn, levelOf } from '../model/check.ts';
import type { Exchange, KeyName } from '../model/exchange.ts';
import type { RecordedWay } from '../model/journal.ts';
import type { RememberedFailure } from '../model/remembered.ts';
import { type DecidedDuties, asError, notExercised } from '../model/ruling.ts';
import type { RunOptions, Target } from '../model/run.ts';
import type { Trial } from '../model/stimulus.ts';
import type {
  CheckResult,
  Evidence,
  Spent,
  Summary,
  UncertainRequest,
  RunOutcome,
} from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import { endpointOf } from '../reading/answers.ts';
import { curlLine } from '../text/curl-line.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-text.ts';
import { difference, showExchange } from '../text/show-exchange.ts';
import { namesCap, partedCuts } from './caps-met.ts';
import { dutyResults, ownVerdictOf, pinMismatches, verdictOf } from './check-verdict.ts';
import { clauseResults, openPointResults } from './clause-results.ts';
import { fatesOf, inputBehind, leftToOthers, stillRemembered } from './fates.ts';
import { inTenths, latencyOf } from './latency.ts';
import { type DrawCounts, failureKinds, firstOfEachKind, type Failure, Tally } from './tally.ts';
import { provesLittle, warningsOf } from './warnings.ts';

/** What has a verdict: a check or an invariant. */
export interface Criterion {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
  readonly title: string;
  /** Absent: the level of its first clause. */
  readonly level?: Level;
  readonly decides?: Check['decides'] | DecidedDuties;
  /** Of an invariant. */
  readonly ofWholeRun?: true;
}

/** The findings of a run, whether it has just ended or is read from its journal. */
export interface Findings {
  readonly target: Pick<Target, 'baseUrl' | 'kind' | 'profile' | 'passing' | 'secrets'> & {
    /** Names of the headers sent with every request. */
    readonly headers: readonly string[];
    readonly way?: RecordedWay;
  };
  readonly seed: number;
  /** A command whose words are quoted. */
  readonly again: string | undefined;
  readonly caps: Summary['caps'];
  readonly withholds: RunOptions['withholds'];
  readonly selected?: RunOptions['selected'] | undefined;
  /** IDs of checks that a baseline lists. */
  readonly known?: ReadonlySet<string> | undefined;
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  readonly draws: DrawCounts;
  readonly keys: ReadonlySet<KeyName>;
  readonly checks: ReadonlyMap<Criterion, Tally>;
  readonly invariants: ReadonlyMap<Criterion, Tally>;
  /** What failed in earlier runs of the target. */
  readonly remembered: readonly RememberedFailure[];
  /** In the order of the plan, and then those of the search for simpler failures. */
  readonly trials: readonly Trial[];
  /** Every exchange, in the order of their ends. */
  readonly record: readonly Exchange[];
  readonly spent: Omit<Spent, 'uncertain'>;
  /** Whether an exchange was armed to be lost, and the workspace has shown its outcome. */
  readonly isAccountedFor: (exchange: Exchange) => boolean;
  readonly cutShort: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
}

const MOST_EVIDENCE = 3;

/** Makes the summary from which every report is made. */
export function summarise(found: Findings): Summary {
  const findings = { ...found, invariants: reportedOf(found) };
  const { target, seed, caps, spent, startedAt, durationMs } = findings;
  const { baseUrl, kind, profile, passing } = target;
  const checks = checkResults(findings);
  const uncertain = uncertainRequests(findings);
  const clauses = clauseResults(checks, {
    invariants: new Set([...findings.invariants.keys()].map(({ id }) => id)),
    keys: findings.keys,
  });
  const tallies = [...findings.checks.values(), ...findings.invariants.values()];
  const open = openPointResults(
    tallies.flatMap((tally) => tally.observations),
    profile,
  );
  const cuts = partedCuts(findings.cutShort, cappedChecks(findings, checks), {
    pins: profile.pins,
    met: new Set(open.map(({ point }) => point)),
    known: findings.known,
  });
  const cutShort = [...cuts.cutShort, ...provesLittle({ ...findings, clauses })];
  return {
    outcome: outcomeOf(checks, cutShort, uncertain),
    target: { baseUrl, kind, profile: profile.name ?? null, ...(passing !== undefined && { passing }) },
    seed,
    caps,
    startedAt,
    durationMs,
    spent: { ...spent, uncertain: uncertain.length },
    checks,
    clauses,
    open,
    uncertain,
    cutShort,
    warnings: [...warningsOf({ ...findings, clauses }), ...cuts.curtailed],
    ...latencyOf(findings.record),
    ...rememberedOf(findings),
    ...notBegunOf(findings),
  };
}

/** The invariants that the run was asked for, and others that fail where these or the checks have no answer. */
function reportedOf(findings: Findings): Findings['invariants'] {
  const { invariants, selected } = findings;
  if (selected === undefined) return invariants;
  const left = leftToOthers(findings, selected);
  const isReported = ({ id }: Criterion, { failures }: Tally): boolean =>
    selected.has(id) || failures.some(({ trial }) => trial.exchanges.some((each) => left.has(each.id)));
  return new Map([...invariants].filter(([of, tally]) => isReported(of, tally)));
}

/** The checks of which a cap left inputs out. An input may also ask for too much, in a run that no cap ends. */
function cappedChecks({ checks }: Findings, results: readonly CheckResult[]): readonly CheckResult[] {
  const capped = new Set(
    [...checks].flatMap(([{ id }, { cutFor }]) => ([...cutFor].some(namesCap) ? id : [])),
  );
  return results.filter(({ id }) => capped.has(id));
}

function checkResults(findings: Findings): CheckResult[] {
  const { checks, invariants } = findings;
  return [...checks, ...invariants].map(([of, tally]) => {
    if (findings.info === undefined && tally.exchanges === 0)
      tally.add(notExercised('the run could not begin'), { exchanges: [] });
    try {
      return checkResult(of, tally, findings);
    } catch (error) {
      const broken = Object.assign(new Tally(), { exchanges: tally.exchanges });
      broken.add(asError(error), { exchanges: [] });
      return checkResult(of, broken, findings);
    }
  });
}

function checkResult(of: Criterion, tally: Tally, findings: Findings): CheckResult {
  const { profile } = findings.target;
  const level = levelOf(of);
  const { id, clauses } = of;
  const failed = failedIn(tally, findings);
  const evidence = firstOfEachKind(failed).slice(0, MOST_EVIDENCE);
  const judge = isOwn(of) ? ownVerdictOf : verdictOf;
  return {
    id,
    clauses,
    level,
    // A journal may come from anywhere.
    title: printable(of.title),
    ...judge(tally, level, profile),
    ...dutyResults(of.decides, tally, (each) => judge(each, level, profile)),
    exchanges: tally.exchanges,
    ...(findings.invariants.has(of) ? unaskedOf(of, findings) : { durationMs: inTenths(tally.durationMs) }),
    ...(tally.unreadable > 0 && { trials: { held: tally.held, unreadable: tally.unreadable } }),
    ...partOf(tally),
    ...(tally.cut > 0 && { cut: tally.cut }),
    ...(failed.length > 0 && { held: tally.held }),
    failures: failureKinds(failed),
    evidence: evidence.map((failure) => evidenceOf(failure, findings)),
    ...fatesOf({ of, tally, failed }, findings),
    ...againOf(of, failed, findings),
  };
}

function unaskedOf({ id }: Criterion, { selected }: Findings): Pick<CheckResult, 'unasked'> {
  return selected === undefined || selected.has(id) ? {} : { unasked: true };
}

function failedIn(tally: Tally, { target: { profile } }: Findings): readonly Failure[] {
  return [...tally.failures, ...pinMismatches(tally.observations, profile)];
}

/** What is not fixed, also of what this run did not check. */
function rememberedOf(findings: Findings): Pick<Summary, 'remembered'> {
  const all = [...findings.checks, ...findings.invariants];
  const judged = new Set(all.map(([{ id }]) => id));
  const remembered = [
    ...all.flatMap(([of, tally]) =>
      stillRemembered({ of, tally, failed: failedIn(tally, findings) }, findings),
    ),
    ...findings.remembered.filter(({ check }) => !judged.has(check)),
  ];
  return remembered.length === 0 ? {} : { remembered };
}

/** What every run sends, whatever it checks. */
const BEGINNING: ReadonlySet<string> = new Set(['preflight', 'smallest', 'control', '']);

/** An invariant is judged on what others provoke: the kinds of requests that it failed on are sent again. */
function againOf(
  of: Criterion,
  failed: readonly Failure[],
  { again, invariants }: Findings,
): Pick<CheckResult, 'again'> {
  if (again === undefined || failed.length === 0) return {};
  const provoked = failed.filter(({ trial }) => !BEGINNING.has(stimulusOf(trial)));
  const shown = firstOfEachKind(provoked).slice(0, MOST_EVIDENCE);
  const kinds = invariants.has(of) ? new Set(shown.map(({ trial }) => stimulusOf(trial))) : [];
  const sends = [...kinds].join(',');
  const words = sends === '' ? [again] : [again, '--send', shellWord(sends)];
  return { again: [...words, '--only', shellWord(of.id)].join(' ') };
}

/** IDs of exchanges begin with the names of their stimuli. */
function stimulusOf({ exchanges: [first] }: Trial): string {
  return first?.id.split('/', 1)[0] ?? '';
}

/** Undefined where every input was tried, or the stimulus was not sent. */
function partOf({ inputs }: Tally): Pick<CheckResult, 'inputs'> {
  return inputs.tried < inputs.of ? { inputs: { ...inputs } } : {};
}

function evidenceOf({ finding, trial }: Failure, { target, trials }: Findings): Evidence {
  const exchange = trial.exchanges[finding.exchange ?? 0] ?? trial.exchanges[0];
  if (exchange === undefined)
    throw new TypeError('a judgement found a violation in a trial that sent no request');
  // It belongs to the first exchange.
  const counterpart = exchange === trial.exchanges[0] ? trial.counterpart : undefined;
  const input = trial.input ?? inputBehind(exchange, trials);
  return {
    finding,
    ...(input !== undefined && { input }),
    exchange: showExchange(exchange),
    ...(counterpart !== undefined && {
      control: { exchange: showExchange(counterpart), difference: difference(exchange, counterpart) },
    }),
    curl: curlLine(target, exchange),
  };
}

function uncertainRequests({ record, isAccountedFor }: Findings): UncertainRequest[] {
  return record.flatMap((exchange) => {
    if (exchange.outcome.kind !== 'uncertain' || isAccountedFor(exchange)) return [];
    const idempotencyKey = exchange.request.headers[HEADERS.idempotencyKey];
    return {
      id: exchange.id,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      reason: exchange.outcome.reason,
      exchange: showExchange(exchange),
    };
  });
}

const MOST_OF_FIRST_ANSWER = 200;

/** Why the preflight did not end, with what came in its last exchange. */
function notBegunOf({ info, record, cutShort }: Findings): Pick<Summary, 'notBegun'> {
  const [reason] = cutShort;
  if (info !== undefined || reason === undefined) return {};
  // The vision endpoint only tells whether the service stands at the address.
  const last = record.findLast(({ request }) => endpointOf(request) !== 'vision');
  return {
    notBegun: { reason, ...(last !== undefined && { exchange: showExchange(last, MOST_OF_FIRST_ANSWER) }) },
  };
}

/** The outcome of a run: failures first, then the reasons why it is incomplete. */
export function outcomeOf(
  checks: readonly Pick<Summary['checks'][number], 'verdict'>[],
  cutShort: readonly string[],
  uncertain: readonly unknown[] = [],
): RunOutcome {
  const some = (...verdicts: readonly string[]): boolean =>
    checks.some(({ verdict }) => verdicts.includes(verdict));
  if (some('fail')) return 'violations';
  const nothing = !some('pass', 'warn', 'observed');
  return cutShort.length > 0 || uncertain.length > 0 || some('error') || nothing
    ? 'incomplete'
    : 'conformant';
}
