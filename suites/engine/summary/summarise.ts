import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { JudgedTrial, Recording } from '../journal/recording.ts';
import { isOwn, levelOf } from '../model/check.ts';
import { stimulusOf } from '../model/exchange.ts';
import { asError } from '../model/ruling.ts';
import { isExpired } from '../model/run.ts';
import type { Trial } from '../model/stimulus.ts';
import type { CheckResult, Evidence, RunOutcome, Summary, UncertainRequest } from '../model/summary.ts';
import { endpointOf } from '../reading/answers.ts';
import { curlLine } from '../text/curl-line.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-text.ts';
import { difference, showExchange } from '../text/show-exchange.ts';
import { namesCap, partedCuts } from './caps-met.ts';
import { dutyResults, ownVerdictOf, verdictOf } from './check-verdict.ts';
import { clauseResults, openPointResults } from './clause-results.ts';
import { fatesOf, inputBehind, leftToOthers, stillRemembered } from './fates.ts';
import { type Findings, findingsIn, type JudgedCriterion } from './findings.ts';
import { inTenths, latencyOf, spentIn } from './spent.ts';
import { failureKinds, firstOfEachKind, type Failure, isCut, tallyOf } from './tally.ts';
import { limitsOf } from './warnings.ts';

const MOST_EVIDENCE = 3;

/** Makes the summary from which every report is made. `again`: a command whose words are quoted. */
export function summarise(recording: Recording, again?: string): Summary {
  const { run, record } = recording;
  const { baseUrl, kind, profile, passing } = run.target;
  const findings = reported(findingsIn(recording));
  const checks = findings.judged.map((each) => checkedResult(each, findings, again));
  const uncertain = uncertainRequests(recording);
  const invariants = findings.judged.filter(({ isInvariant }) => isInvariant);
  const clauses = clauseResults(checks, {
    invariants: new Set(invariants.map(({ of }) => of.id)),
    keys: new Set(run.keys),
  });
  const open = openPointResults(
    findings.judged.flatMap(({ tally }) => tally.observations),
    profile,
  );
  const cuts = cutsIn(findings, checks, new Set(open.map(({ point }) => point)));
  const { draws } = findings;
  const cut = draws.filter(({ trial }) => isCut(trial)).length;
  const limits = limitsOf({ ...recording, ...run, draws: { begun: draws.length, cut }, clauses });
  const cutShort = [...cuts.cutShort, ...limits.cutShort];
  return {
    outcome: outcomeOf(checks, cutShort, uncertain),
    target: { baseUrl, kind, profile: profile.name ?? null, ...(passing !== undefined && { passing }) },
    seed: run.seed,
    caps: run.caps,
    startedAt: run.startedAt,
    durationMs: durationIn(recording),
    spent: { ...spentIn(recording), uncertain: uncertain.length },
    checks,
    clauses,
    open,
    uncertain,
    cutShort,
    warnings: [...limits.warnings, ...cuts.curtailed],
    ...latencyOf(record),
    ...rememberedOf(findings),
    ...notBegunOf(recording),
  };
}

/** Why a run is cut short: without a last line it was killed. */
export function cutShortIn({ finished, inFlight }: Recording): readonly string[] {
  const many = inFlight.length === 1 ? '1 request was' : `${inFlight.length} requests were`;
  return finished?.cutShort ?? [`the run was killed while ${many} in flight`];
}

/** How many milliseconds a run took: without a last line, until its last request. */
export function durationIn({ run: { startedAt }, sent, finished }: Recording): number {
  return finished?.durationMs ?? Date.parse([...sent.values()].at(-1) ?? startedAt) - Date.parse(startedAt);
}

/** The invariants that the run was asked for, and others that fail where these or the checks have no answer. */
function reported(findings: Findings): Findings {
  const { selected } = findings.recording.run;
  if (selected === undefined) return findings;
  const left = leftToOthers(findings, selected);
  const isReported = ({ of, isInvariant, tally }: JudgedCriterion): boolean =>
    !isInvariant ||
    selected.includes(of.id) ||
    tally.failures.some(({ trial }) => trial.exchanges.some((each) => left.has(each.id)));
  return { ...findings, judged: findings.judged.filter(isReported) };
}

/** Why the run ended early, by the checks of which a cap left inputs out; `met`: the open points that it observed. */
function cutsIn({ recording, judged }: Findings, results: readonly CheckResult[], met: ReadonlySet<string>) {
  const { known, startedAt, target } = recording.run;
  const capped = results.filter((_, i) => judged[i]?.draws.some(({ trial }) => isCapped(trial)));
  return partedCuts(cutShortIn(recording), capped, {
    pins: target.profile.pins,
    met,
    known: new Set(known?.flatMap((entry) => (isExpired(entry, startedAt) ? [] : entry.check))),
  });
}

/** An input may also ask for too much, in a run that no cap ends. */
function isCapped(trial: Trial): boolean {
  const reasons = trial.exchanges.map(({ outcome }) => (outcome.kind === 'not-sent' ? outcome.reason : ''));
  return isCut(trial) && reasons.some(namesCap);
}

function checkedResult(judged: JudgedCriterion, findings: Findings, again: string | undefined): CheckResult {
  try {
    return checkResult(judged, findings, again);
  } catch (error) {
    const { exchanges } = judged.tally;
    const tally = { ...tallyOf([]), exchanges, broken: asError(error) };
    return checkResult({ ...judged, tally, failed: [], draws: [] }, findings, again);
  }
}

function checkResult(judged: JudgedCriterion, findings: Findings, again: string | undefined): CheckResult {
  const { of, tally, failed, isInvariant, draws } = judged;
  const { run } = findings.recording;
  const level = levelOf(of);
  const { id, clauses } = of;
  const evidence = firstOfEachKind(failed).slice(0, MOST_EVIDENCE);
  const judge = isOwn(of) ? ownVerdictOf : verdictOf;
  const cut = draws.filter(({ trial }) => isCut(trial)).length;
  const isUnasked = isInvariant && run.selected?.includes(id) === false;
  return {
    id,
    clauses,
    level,
    // A journal may come from anywhere.
    title: printable(of.title),
    ...judge(tally, level, run.target.profile),
    ...dutyResults(of.decides, tally, (each) => judge(each, level, run.target.profile)),
    exchanges: tally.exchanges,
    ...(isUnasked && { unasked: true as const }),
    ...(!isInvariant && { durationMs: inTenths(tally.durationMs) }),
    ...(tally.unreadable > 0 && { trials: { held: tally.held, unreadable: tally.unreadable } }),
    ...partOf(draws),
    ...(cut > 0 && { cut }),
    ...(failed.length > 0 && { held: tally.held }),
    failures: failureKinds(failed),
    evidence: evidence.map((failure) => evidenceOf(failure, findings)),
    ...fatesOf(judged, findings),
    ...(again !== undefined && failed.length > 0 && { again: againText(judged, again) }),
  };
}

/** Undefined where every input was tried, or the stimulus was not sent. */
function partOf(draws: readonly JudgedTrial[]): Pick<CheckResult, 'inputs'> {
  const whole = draws.flatMap(({ entry, trial }) => (isCut(trial) ? [] : (entry.among ?? [])));
  const of = Math.max(0, ...whole);
  return whole.length < of ? { inputs: { tried: whole.length, of } } : {};
}

/** What is not fixed, also of what this run did not check. */
function rememberedOf(findings: Findings): Pick<Summary, 'remembered'> {
  const { judged, recording } = findings;
  const known = new Set(judged.map(({ of }) => of.id));
  const remembered = [
    ...judged.flatMap((each) => stillRemembered(each, findings)),
    ...(recording.run.remembered ?? []).filter(({ check }) => !known.has(check)),
  ];
  return remembered.length === 0 ? {} : { remembered };
}

/** What every run sends, whatever it checks. */
const BEGINNING: ReadonlySet<string> = new Set(['preflight', 'smallest', 'control']);

/** An invariant is judged on what others provoke: the kinds of requests that it failed on are sent again. */
function againText({ of, isInvariant, failed }: JudgedCriterion, again: string): string {
  const provoked = failed.flatMap((failure) => {
    const [stimulus] = failure.trial.exchanges.map(stimulusOf);
    return stimulus === undefined || BEGINNING.has(stimulus) ? [] : { ...failure, stimulus };
  });
  const shown = firstOfEachKind(provoked).slice(0, MOST_EVIDENCE);
  const sends = isInvariant ? [...new Set(shown.map(({ stimulus }) => stimulus))].join(',') : '';
  const words = sends === '' ? [again] : [again, '--send', shellWord(sends)];
  return [...words, '--only', shellWord(of.id)].join(' ');
}

function evidenceOf({ finding, trial }: Failure, { recording }: Findings): Evidence {
  const exchange = trial.exchanges[finding.exchange ?? 0] ?? trial.exchanges[0];
  if (exchange === undefined)
    throw new TypeError('a judgement found a violation in a trial that sent no request');
  // It belongs to the first exchange.
  const counterpart = exchange === trial.exchanges[0] ? trial.counterpart : undefined;
  const input = trial.input ?? inputBehind(exchange, recording);
  return {
    finding,
    ...(input !== undefined && { input }),
    exchange: showExchange(exchange),
    ...(counterpart !== undefined && {
      control: { exchange: showExchange(counterpart), difference: difference(exchange, counterpart) },
    }),
    curl: curlLine(recording.run.target, exchange),
  };
}

/** Not those that were armed to be lost, and whose outcome the workspace has shown. */
function uncertainRequests({ record, shown }: Recording): readonly UncertainRequest[] {
  return record.flatMap((exchange) => {
    const idempotencyKey = exchange.request.headers[HEADERS.idempotencyKey];
    const isShown = exchange.armed === 'loss' && shown.has(idempotencyKey ?? '');
    if (exchange.outcome.kind !== 'uncertain' || isShown) return [];
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
function notBegunOf(recording: Recording): Pick<Summary, 'notBegun'> {
  const { info, record } = recording;
  const [reason] = cutShortIn(recording);
  // A shard that is missing may have begun.
  if (info !== undefined || reason === undefined || reason.endsWith(' is missing')) return {};
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
