import { scenariosOf } from './scenarios/caller-scenarios.ts';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import type { CallerCheck } from '../../suites/caller/caller-check.ts';
import { judgeCaller, NOTHING_CAME } from '../../suites/caller/judge-caller.ts';
import { chatsAtService, endpointAsked } from '../../suites/caller/seen-chats.ts';
import type { Timeline } from '../../suites/caller/timeline.ts';
import { clauseResults } from '../../suites/kit/summary/clause-results.ts';
import type { CheckResult, Spent, Summary, RunOutcome } from '../../suites/kit/model/summary.ts';
import { endProblem } from './end-problem.ts';

/** What a run at a caller was, beside what was seen. */
export interface CallerRun {
  /** What reports call it. */
  readonly name: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outputTokens: number;
  /** Why the run says less than it might. */
  readonly problems: readonly string[];
}

function bearing({ clauses }: CallerCheck): readonly string[] {
  return ['watched', ...clauses.flatMap(scenariosOf)];
}

function spentBy(timelines: readonly Timeline[], outputTokens: number): Spent {
  const requests = timelines.flatMap((timeline) => timeline.requests);
  const completions = requests.filter((request) => endpointAsked(request) === 'chat');
  const uncertain = completions.filter(({ outcome: met }) => met.kind === 'uncertain');
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

/** Who asks for no completion has hardly been put to the question; of an image alone, none may be right. */
function lackOf(timeline: Timeline): readonly string[] {
  const { requests, items } = timeline;
  if (!requests.some(({ place }) => place === 'service')) return [NOTHING_CAME];
  const wantsText = items.length === 0 || items.some(({ image }) => !image);
  return wantsText && chatsAtService(timeline).length === 0 ? ['it asked for no completion'] : [];
}

function problemsOf(timeline: Timeline): readonly string[] {
  return [...lackOf(timeline), ...endProblem(timeline.end)];
}

/** What was wrong in several scenarios is said once. */
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

/** The one summary that every report of a caller is a form of: of the clauses, those that bind the caller. */
export function callerSummary(timelines: readonly Timeline[], run: CallerRun): Summary {
  const checks = judgeCaller(timelines, CALLER_CHECKS, bearing);
  const cutShort = [...problemLines(timelines), ...run.problems];
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
    warnings: [],
  };
}
