import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { JudgedTrial, Recording } from '../journal/recording.ts';
import { isOwn, levelOf } from '../model/check.ts';
import { stimulusOf } from '../model/exchange.ts';
import { asError } from '../model/ruling.ts';
import { enoughFailures, isExpired } from '../model/run.ts';
import type { CheckResult, RunOutcome, Summary, UncertainRequest } from '../model/summary.ts';
import { endpointOf } from '../reading/answers.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-text.ts';
import { showExchange } from '../text/show-exchange.ts';
import { clauseResults, openPointResults } from './clause-results.ts';
import { evidenceOf } from './evidence.ts';
import { fatesOf, leftToOthers, stillRemembered } from './fates.ts';
import {
  dutyResults,
  evident,
  type Failure,
  failureKinds,
  type Findings,
  findingsIn,
  isCut,
  type JudgedCriterion,
  tallyOf,
  verdictOf,
} from './findings.ts';
import { limitsOf, namesCap, partedCuts } from './limits.ts';
import { spentOn } from './spent.ts';

/** Makes the summary from which every report is made. `again`: a command whose words are quoted. */
export function summarise(recording: Recording, again?: string): Summary {
  const { run } = recording;
  const { profile } = run.target;
  const findings = reported(findingsIn(recording));
  const { judged } = findings;
  const checks = judged.map((each) => checkedResult(each, findings, again));
  const uncertain = uncertainRequests(recording);
  const invariants = judged.flatMap(({ isInvariant, of }) => (isInvariant ? of.id : []));
  const clauses = clauseResults(checks, new Set(invariants));
  const observations = judged.flatMap(({ tally }) => tally.observations);
  const open = openPointResults(observations, profile);
  const cuts = cutsIn(findings, { checks, open });
  const limits = limitsOf({ ...recording, ...run, clauses });
  const cutShort = [...cuts.cutShort, ...limits.cutShort];
  return {
    outcome: outcomeOf(checks, cutShort, uncertain),
    target: targetIn(run),
    seed: run.seed,
    runs: run.runs,
    caps: run.caps,
    startedAt: run.startedAt,
    durationMs: durationIn(recording),
    spent: { ...spentOn(recording), uncertain: uncertain.length },
    checks,
    clauses,
    open,
    uncertain,
    cutShort,
    warnings: [...limits.warnings, ...cuts.warnings],
    ...rememberedOf(findings),
    ...notBegunOf(recording),
  };
}

function targetIn({ target }: Recording['run']): Summary['target'] {
  const { baseUrl, kind, name, profile, passing } = target;
  return {
    baseUrl,
    kind,
    profile: profile.name ?? null,
    ...(name !== undefined && { name }),
    ...(passing !== undefined && { passing }),
  };
}

/** Why a run is cut short: without a last line it was killed. */
function cutShortIn({ finished, inFlight }: Recording): readonly string[] {
  const many = inFlight.length === 1 ? '1 request was' : `${inFlight.length} requests were`;
  return finished?.cutShort ?? [`the run was killed while ${many} in flight`];
}

/** How many milliseconds a run took: without a last line, until its last request. */
function durationIn({ run: { startedAt }, sent, finished }: Recording): number {
  const { at = startedAt } = [...sent.values()].at(-1) ?? {};
  return finished?.durationMs ?? Date.parse(at) - Date.parse(startedAt);
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

/** Why the run ended early, by the checks of which a cap left inputs out. */
function cutsIn({ recording, judged }: Findings, { checks, open }: Pick<Summary, 'checks' | 'open'>) {
  const { known, startedAt, target } = recording.run;
  const capped = checks.filter((_, i) => judged[i]?.draws.some(isCapped));
  const accepted = known?.flatMap((entry) => (isExpired(entry, startedAt) ? [] : entry.check));
  const { pins } = target.profile;
  const met = open.map(({ point }) => point);
  return partedCuts(cutShortIn(recording), capped, new Set(accepted), { pins, met });
}

/** An input may also ask for too much, in a run that no cap ends. */
function isCapped({ trial }: JudgedTrial): boolean {
  const reasons = trial.exchanges.map(({ outcome }) => (outcome.kind === 'not-sent' ? outcome.reason : ''));
  return isCut(trial) && reasons.some(namesCap);
}

/** An error of ours is that of one check: it takes nothing from what the others have found. */
function checkedResult(judged: JudgedCriterion, findings: Findings, again: string | undefined): CheckResult {
  try {
    return checkResult(judged, findings, again);
  } catch (error) {
    const tally = { ...tallyOf([]), broken: asError(error) };
    return checkResult({ ...judged, tally, failed: [], draws: [] }, findings, again);
  }
}

function checkResult(judged: JudgedCriterion, findings: Findings, again: string | undefined): CheckResult {
  const { of, tally, failed, isInvariant, draws } = judged;
  const { run } = findings.recording;
  const enough = enoughFailures(typeof run.runs === 'string', run.caps.completions);
  const level = levelOf(of);
  const verdict = (some: typeof tally) => verdictOf(some, level, isOwn(of));
  const cut = draws.filter(({ trial }) => isCut(trial)).length;
  const whole = draws.flatMap(({ entry, trial }) => (isCut(trial) ? [] : (entry.among ?? [])));
  const inputs = { tried: whole.length, of: Math.max(0, ...whole) };
  const hasFailed = failed.length > 0;
  const isStopped = failed.filter(({ finding }) => finding.code === 'failed').length >= enough;
  return {
    id: of.id,
    clauses: of.clauses,
    level,
    // A journal may come from anywhere.
    title: printable(of.title),
    ...verdict(tally),
    ...(isStopped && inputs.tried < inputs.of && { hint: unsentAfter(enough) }),
    ...dutyResults(of.decides, tally, verdict),
    exchanges: tally.exchanges,
    ...(isInvariant && run.selected?.includes(of.id) === false && { unasked: true as const }),
    ...(!isInvariant && { durationMs: Math.round(tally.durationMs * 10) / 10 }),
    ...(tally.unreadable > 0 && { trials: { held: tally.held, unreadable: tally.unreadable } }),
    ...(inputs.tried < inputs.of && { inputs }),
    ...(cut > 0 && { cut }),
    ...(hasFailed && { held: tally.held }),
    failures: failureKinds(failed),
    evidence: evident(failed).flatMap((failure) => evidenceOf(failure, findings, of)),
    ...fatesOf(judged, findings),
    ...(again !== undefined && hasFailed && { again: againText(judged, again) }),
  };
}

function unsentAfter(failures: number): string {
  return `a kind of request is sent no more after ${failures} failures: others of its inputs may fail too once these are mended`;
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
  const provoked = failed.filter((failure) => !BEGINNING.has(provokedBy(failure)));
  const kinds = [...new Set(evident(provoked).map(provokedBy))].join(',');
  const words = isInvariant && kinds !== '' ? [again, '--send', shellWord(kinds)] : [again];
  return [...words, '--only', shellWord(of.id)].join(' ');
}

/** The stimulus of what was sent first. */
function provokedBy({ trial }: Failure): string {
  return trial.exchanges.slice(0, 1).map(stimulusOf).join();
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
  const isDecided = some('pass', 'warn', 'observed') && !some('error');
  return isDecided && cutShort.length + uncertain.length === 0 ? 'conformant' : 'incomplete';
}
