import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { failedBy, failedChats, inRun, isRefusal, isUncertain, pathOf } from '../../suites/caller/chats.ts';
import { crashOf } from '../../suites/caller/crashes.ts';
import { seconds, shownRequest, wholeTimeline } from '../../suites/caller/evidence.ts';
import { deadlineHint } from '../../suites/caller/hints.ts';
import { judgeCaller, NOTHING_SENT } from '../../suites/caller/judge-caller.ts';
import { nonJsonSurvived, SHOW_SURVIVAL } from '../../suites/caller/non-json-survived.ts';
import { mayHideAgain } from '../../suites/caller/sent-again.ts';
import { type CallerEnd, type Chat, type Timeline, WATCHED } from '../../suites/caller/timeline.ts';
import type { CheckResult, ScenarioResult, Summary } from '../../suites/engine/model/summary.ts';
import { counted } from '../../suites/engine/reports/display-verdict.ts';
import { clauseResults } from '../../suites/engine/summary/clause-results.ts';
import { outcomeOf } from '../../suites/engine/summary/summarise.ts';
import { errorIn } from './observe-sandbox.ts';

/** What is known of a caller's trial beside its timelines. `name`: what reports call the caller. */
interface CallerRun extends Pick<Summary, 'seed' | 'durationMs'>, Partial<Pick<Summary, 'cutShort'>> {
  readonly name: string;
  readonly startedAt: Date;
}

/** The summary of a trial, from which every report is made: its clauses are those that bind the caller. */
export function callerSummary(played: readonly Timeline[], run: CallerRun): Summary {
  const timelines = inRun(played);
  const { checks, scenarios: verdicts } = judgeCaller(timelines, CALLER_CHECKS);
  const scenarios = timelines.flatMap((timeline, index) =>
    timeline.scenario === WATCHED.scenario ? [] : [scenarioResult(timeline, verdicts[index] ?? [])],
  );
  const chats = timelines.flatMap((timeline) => timeline.chats);
  const foreign = foreignPaths(timelines);
  const isForeign = timelines.every(({ atService }) => atService.length === 0);
  const cutShort = [...problemsOf(timelines, checks), ...(isForeign ? foreign : []), ...(run.cutShort ?? [])];
  const clauses = clauseResults(checks, new Set());
  return {
    outcome: outcomeOf(checks, cutShort, []),
    target: { baseUrl: run.name, kind: 'caller', profile: null },
    seed: run.seed,
    caps: { requests: null, completions: null, outputTokens: null },
    startedAt: run.startedAt.toISOString(),
    durationMs: run.durationMs,
    spent: {
      requests: timelines.reduce((sum, { requests }) => sum + requests.length, 0),
      completions: chats.length,
      outputTokens: timelines.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0),
      uncertain: chats.filter(isUncertain).length,
    },
    checks,
    clauses: clauses.filter(({ bound }) => bound === 'caller'),
    open: [],
    uncertain: [],
    cutShort,
    warnings: isForeign ? [] : foreign,
    ...(scenarios.length > 0 && { scenarios }),
  };
}

/** Why little of a caller shows, or why it may have paid twice. */
function problemsOf(timelines: readonly Timeline[], checks: readonly CheckResult[]): readonly string[] {
  const isBlamed = checks.some(({ verdict }) => verdict === 'fail');
  return [
    ...problemLines(timelines, (timeline) => [...missingRequests(timeline), ...endProblem(timeline)]),
    ...(isBlamed ? [] : problemLines(timelines, mayHideAgain)),
    ...(checks.some(({ id, verdict }) => id === nonJsonSurvived.id && verdict === 'not-exercised')
      ? failsOnlyWithoutJson(timelines)
      : []),
    ...neverServed(timelines.flatMap(({ atService }) => atService)),
    ...problemLines(timelines, ({ problems = [] }) => problems),
  ];
}

function endedBadly({ end }: Timeline): boolean {
  return end.kind === 'exited' && end.code !== 0;
}

/** A caller that ends with a failure wherever an answer is not JSON, and after no other error, may break over the body. */
function failsOnlyWithoutJson(timelines: readonly Timeline[]): readonly string[] {
  const failed = timelines.filter((timeline) => failedChats(timeline).length > 0);
  const isExact = failed.every((timeline) => endedBadly(timeline) === failedBy('gateway')(timeline));
  const says = `it ends with a failure wherever an answer is not JSON, and only there: ${SHOW_SURVIVAL}`;
  return isExact && failed.some(endedBadly) && !failed.every(endedBadly) ? [says] : [];
}

/** What a caller did in a scenario, with the verdicts of the checks on it. */
function scenarioResult(timeline: Timeline, verdicts: ScenarioResult['verdicts']): ScenarioResult {
  const { scenario, end, requests } = timeline;
  return {
    name: scenario,
    end: callerEnding(end),
    output: end.output.slice(-20_000),
    verdicts,
    timeline: wholeTimeline(timeline),
    requests: requests.map((request) => shownRequest(timeline, request)),
  };
}

/** One line for each problem, with the scenarios that it occurred in. */
function problemLines(timelines: readonly Timeline[], problemsIn: (timeline: Timeline) => readonly string[]) {
  const found = timelines.flatMap((timeline) =>
    problemsIn(timeline).map((problem) => ({ problem, scenario: timeline.scenario })),
  );
  return [...Map.groupBy(found, ({ problem }) => problem)].map(([problem, all]) => {
    const isEvery = all.length === timelines.length && all.length > 1;
    const names = isEvery ? 'every scenario' : all.map(({ scenario }) => scenario).join(', ');
    return names === WATCHED.scenario ? problem : `${names}: ${problem}`;
  });
}

/** A caller that is asked only for an image may be right to send no completion. */
function missingRequests(timeline: Timeline): readonly string[] {
  const { requests, items, end, earlier } = timeline;
  if (!requests.some(({ place }) => place === 'service')) {
    const sentBefore = earlier.some((one) => one.requests.length > 0);
    if (end.kind !== 'exited' || !sentBefore) return [NOTHING_SENT];
    return [
      `${NOTHING_SENT}${lastLine(end.output)} (CHAT_FOLDER is a new folder for the files of each scenario)`,
    ];
  }
  const wantsText = items.length === 0 || items.some(({ image }) => image === undefined);
  return wantsText && timeline.atService.length === 0 ? ['it sent no chat completion'] : [];
}

/** Why nothing was served although nothing stood in the way, as in another language: then little of a caller shows. */
function neverServed(chats: readonly Chat[]): readonly string[] {
  // What the fault of a scenario met is not the caller's own failure.
  const failed = chats.filter((chat) => chat.fault === undefined && (isRefusal(chat) || isUncertain(chat)));
  if (failed.length === 0 || chats.some(({ outcome }) => outcome === 'served')) return [];
  const refused = failed.filter(isRefusal);
  const [first] = refused;
  if (first === undefined)
    return [
      `no completion was served: it closed the connection of ${failed.length} of ${chats.length} requests before an answer`,
    ];
  const { code, message } = errorIn(Buffer.from(first.answer));
  const told = [first.status, code, message].filter((word) => ['string', 'number'].includes(typeof word));
  return [`no completion was served: ${refused.length} of ${chats.length} refused, as ${told.join(' ')}`];
}

/** Paths that the specification does not have, such as those of another interface. */
function foreignPaths(timelines: readonly Timeline[]): readonly string[] {
  const sent = timelines.flatMap(({ requests }) => requests.filter(({ place }) => place === 'service'));
  const foreign = sent.filter(({ endpoint }) => endpoint === undefined);
  const names = new Set(foreign.map((request) => `${request.method} ${pathOf(request)}`));
  // What a browser asks for by itself is not the caller's doing.
  const own = [...names].filter((name) => !/^OPTIONS | \/favicon\.ico$/.test(name));
  return own.map((name) => `it sent ${name}, which the specification does not have`);
}

const LONGEST_LINE = 200;

function linesOf(output: string): readonly string[] {
  return output.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));
}

/** The line that names the error, which Node writes before a stack trace, or else the last one of what reports it. */
export function lastLine(output: string, reported = output): string {
  const lines = linesOf(output);
  const named = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line) && line.includes(':'));
  const line = (named ?? linesOf(reported).at(-1) ?? '').trim();
  return line === '' ? '' : `: ${line.slice(0, LONGEST_LINE)}`;
}

/** How far a caller came that was stopped, and what took its time: the service, or itself. */
function progressOf({ startedAt, requests, items, chats }: Timeline, afterMs: number): string {
  let [waited, until] = [0, startedAt];
  for (const { arrivedAt, knownAt = startedAt + afterMs } of requests) {
    waited += Math.max(0, knownAt - Math.max(arrivedAt, until));
    until = Math.max(until, knownAt);
  }
  const begun = items.filter(({ id }) => chats.some(({ item }) => item === id)).length;
  const done =
    begun === 0 ? `it sent ${counted(chats.length, 'chat')}` : `of ${items.length} items it began ${begun}`;
  return `${done}, waited for answers for ${seconds(waited)}, and took ${seconds(afterMs - waited)} itself`;
}

/** What was wrong with how a caller ended, if anything. An exit code that reports a failure is not wrong in itself. */
export function endProblem(timeline: Timeline): readonly string[] {
  const { end } = timeline;
  if (end.kind === 'stopped')
    return [
      `it had not ended after ${seconds(end.afterMs)}, and was stopped; ${progressOf(timeline, end.afterMs)}: ${deadlineHint(timeline)}`,
    ];
  if (end.kind === 'signalled') return [`it was killed by ${end.signal}${lastLine(end.output)}`];
  if (end.kind === 'watched') return [];
  // So a shell reports a program that it cannot run or that a signal ended; Unix signals go up to 64.
  const isOfShell = end.code >= 126 && end.code <= 128 + 64;
  if (end.kind === 'driven')
    return isOfShell ? [`the --drive command ended with code ${end.code}${lastLine(end.stderr ?? '')}`] : [];
  const crash = crashOf(end);
  if (end.code === 0 || !(isOfShell || crash)) return [];
  return [`it crashed with code ${end.code}${crash?.place ?? ''}${lastLine(end.output, crash?.error)}`];
}

/** How a caller ended, in a few words. */
export function callerEnding(end: CallerEnd): string {
  if (end.kind === 'exited') return `exit code ${end.code}`;
  if (end.kind === 'signalled') return `was killed by ${end.signal}`;
  if (end.kind === 'driven') return `exit code ${end.code} of the --drive command`;
  return end.kind === 'stopped' ? 'did not end' : 'was only observed';
}

const SHOWN_LINES = 5;

/** The last lines that a caller wrote to stderr, if it ended with anything but 0. */
export function lastWords(end: CallerEnd): readonly string[] {
  if (end.kind === 'watched' || ('code' in end && end.code === 0)) return [];
  return linesOf(end.stderr ?? end.output)
    .slice(-SHOWN_LINES)
    .map((line) => line.slice(0, LONGEST_LINE));
}
