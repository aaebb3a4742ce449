import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { type CallerCheck, judgeCaller, NOTHING_SENT } from '../../suites/caller/judge-caller.ts';
import { chatsAtService, endpointAsked } from '../../suites/caller/observed/chats.ts';
import { saysItCrashed } from '../../suites/caller/observed/crash-signs.ts';
import type { CallerEnd, Timeline, TimelineRequest } from '../../suites/caller/observed/timeline.ts';
import type { CheckResult, Spent, Summary } from '../../suites/kit/model/summary.ts';
import type { RunOutcome } from '../../suites/kit/model/summary.ts';
import { isJsonObject, parseJson } from '../../suites/kit/reading/json.ts';
import { clauseResults } from '../../suites/kit/summary/clause-results.ts';
import { withKept } from './kept-results.ts';
import { scenariosOf } from './scenarios.ts';

/** What is known of a caller's trial beside its timelines. */
export interface CallerRun {
  /** What reports call it. */
  readonly name: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outputTokens: number;
  /** Why the trial is incomplete. */
  readonly problems: readonly string[];
  /** What was found in requests that are no longer held. */
  readonly before?: readonly CheckResult[];
  readonly warnings?: readonly string[];
}

function scenariosFor({ clauses }: CallerCheck): readonly string[] {
  return ['watched', ...clauses.flatMap(scenariosOf)];
}

function spentBy(timelines: readonly Timeline[], outputTokens: number): Spent {
  const requests = timelines.flatMap((timeline) => timeline.requests);
  const completions = requests.filter((request) => endpointAsked(request) === 'chat');
  const uncertain = completions.filter(({ outcome }) => outcome.kind === 'uncertain');
  return {
    requests: requests.length,
    completions: completions.length,
    outputTokens,
    uncertain: uncertain.length,
  };
}

function outcomeOf(checks: readonly CheckResult[], cutShort: readonly string[]): RunOutcome {
  const some = (verdict: string): boolean => checks.some((check) => check.verdict === verdict);
  if (some('fail')) return 'violations';
  return cutShort.length > 0 || some('error') || !some('pass') ? 'incomplete' : 'conformant';
}

/** A caller that is asked only for an image may be right to send no completion. */
function missingRequests(timeline: Timeline): readonly string[] {
  const { requests, items } = timeline;
  if (!requests.some(({ place }) => place === 'service')) return [NOTHING_SENT];
  const wantsText = items.length === 0 || items.some(({ image }) => !image);
  return wantsText && chatsAtService(timeline).length === 0 ? ['it sent no chat completion'] : [];
}

/** Answers in full that no fault of the scenario changed. */
function isOwnRefusal({ outcome, fault }: TimelineRequest): boolean {
  return outcome.kind === 'refused' && fault === undefined;
}

/** Whether the service refused what the caller wants, as in another language: then nothing of its behaviour shows. */
function neverServed(timelines: readonly Timeline[]): readonly string[] {
  const chats = timelines.flatMap(chatsAtService);
  if (chats.some(({ outcome }) => outcome.kind === 'served')) return [];
  const refused = chats.filter(isOwnRefusal);
  const [first] = refused;
  if (first === undefined) return [];
  return [
    `none of its ${chats.length} completions was served: ${refused.length} were refused${refusalText(first)}`,
  ];
}

/** The error object of a refusal, in one line. */
function refusalText({ status, answer }: TimelineRequest): string {
  const reading = parseJson(Buffer.from(answer));
  const root = reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : {};
  const { code, message } = isJsonObject(root['error']) ? root['error'] : root;
  const words = [status, code, message].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  );
  return `, as ${words.join(' ')}`;
}

function problemsOf(timeline: Timeline): readonly string[] {
  return [...missingRequests(timeline), ...endProblem(timeline.end)];
}

/** One line for each problem, with the scenarios that it occurred in. */
function problemLines(timelines: readonly Timeline[]): readonly string[] {
  const found = timelines.flatMap((timeline) =>
    problemsOf(timeline).map((problem) => ({ problem, scenario: timeline.scenario })),
  );
  const byProblem = Map.groupBy(found, ({ problem }) => problem);
  return [...byProblem].map(([problem, same]) => {
    const names = same.map(({ scenario }) => scenario).join(', ');
    const isEvery = same.length === timelines.length && same.length > 1;
    return `${isEvery ? 'every scenario' : names}: ${problem}`;
  });
}

/** The summary of a trial, from which every report is made: its clauses are those that bind the caller. */
export function callerSummary(timelines: readonly Timeline[], run: CallerRun): Summary {
  const checks = withKept(judgeCaller(timelines, CALLER_CHECKS, scenariosFor), run.before);
  const cutShort = [...problemLines(timelines), ...neverServed(timelines), ...run.problems];
  const clauses = clauseResults(checks, { invariants: new Set(), keys: new Set() });
  return {
    outcome: outcomeOf(checks, cutShort),
    target: { baseUrl: run.name, kind: 'caller', profile: null },
    seed: run.seed,
    caps: { requests: null, completions: null, outputTokens: null },
    startedAt: run.startedAt.toISOString(),
    durationMs: run.durationMs,
    spent: spentBy(timelines, run.outputTokens),
    checks,
    clauses: clauses.filter(({ bound }) => bound === 'caller'),
    open: [],
    uncertain: [],
    cutShort,
    warnings: run.warnings ?? [],
  };
}

const LONGEST_LINE = 200;

/** The last line of the output, or the one that names the error where Node wrote it before a stack trace. */
function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const named = lines.findLast((line) => /^(?:\w+\.)*\w*(?:Error|Exception)\b.*:/.test(line));
  const line = (named ?? lines.at(-1) ?? '').trim();
  return line === '' ? '' : `: ${line.slice(0, LONGEST_LINE)}`;
}

/** Exit codes with which a shell reports a missing program or a signal; Unix signals go up to 64. */
function shellProblem(code: number): string | undefined {
  if (code === 126) return 'which a shell returns for a program that cannot be executed';
  if (code === 127) return 'which a shell returns for a program that does not exist';
  return code > 128 && code <= 128 + 64 ? `which a shell returns after signal ${code - 128}` : undefined;
}

function exitProblem(code: number, output: string): readonly string[] {
  if (code === 0) return [];
  if (saysItCrashed(output)) return [`it crashed with code ${code}${lastLine(output)}`];
  const problem = shellProblem(code);
  return problem === undefined ? [] : [`it exited with code ${code}, ${problem}${lastLine(output)}`];
}

/** What was wrong with how a caller ended, if anything. An exit code that reports a failure is not wrong in itself. */
export function endProblem(end: CallerEnd): readonly string[] {
  switch (end.kind) {
    case 'watched':
      return [];
    case 'stopped':
      return [`it had not ended after ${(end.afterMs / 1000).toFixed(0)} s, and was stopped`];
    case 'signalled':
      return [`it was killed by ${end.signal}${lastLine(end.output)}`];
    case 'exited':
      return exitProblem(end.code, end.output);
  }
}
