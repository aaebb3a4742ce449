import type { Sandbox } from '../../mock-server/sandboxes/sandbox.ts';
import { DOUBT_BEFORE_PASS } from '../../suites/caller/judge-caller.ts';
import { pictured, wholeTimeline } from '../../suites/caller/observed/evidence.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/observed/timeline.ts';
import type { CheckResult, DutyResult, ScenarioResult, Spent } from '../../suites/kit/model/summary.ts';
import { callerEnding } from './caller-end.ts';

/** What was judged of requests that a sandbox no longer holds. */
export interface KeptResults {
  /** How many requests it no longer holds. */
  readonly dropped: number;
  readonly checks: readonly CheckResult[];
  /** What they spent. */
  readonly spent: Spent;
  /** Whether a completion was served to one of them. */
  readonly hasServed: boolean;
}

function weight({ verdict }: Pick<CheckResult, 'verdict'>): number {
  return DOUBT_BEFORE_PASS.indexOf(verdict);
}

/** What was seen of a duty before or is seen now, whichever says more. */
function heavier({ duties = [] }: CheckResult, now: DutyResult): DutyResult {
  const before = duties.find(({ duty }) => duty === now.duty);
  return before !== undefined && weight(before) <= weight(now) ? before : now;
}

/** Requests judged twice add nothing: the first of each kind of failure, and of its evidence, is enough. */
function merged(before: CheckResult, now: CheckResult): CheckResult {
  const leading = weight(before) <= weight(now) ? before : now;
  const failures = [...before.failures, ...now.failures];
  const evidence = [...before.evidence, ...now.evidence];
  return {
    ...leading,
    exchanges: Math.max(before.exchanges, now.exchanges),
    failures: failures.filter(({ code }, i) => failures.findIndex((one) => one.code === code) === i),
    ...(now.duties !== undefined && { duties: now.duties.map((duty) => heavier(before, duty)) }),
    evidence: evidence.filter(
      ({ finding }, i) => evidence.findIndex((one) => one.finding.code === finding.code) === i,
    ),
  };
}

/** The results of what was dropped with those of what is held. */
export function withKept(
  now: readonly CheckResult[],
  kept: readonly CheckResult[] = [],
): readonly CheckResult[] {
  return now.map((result) => {
    const before = kept.find(({ id }) => id === result.id);
    return before === undefined ? result : merged(before, result);
  });
}

/** What was spent by what was dropped and by what is held. */
export function withSpent(now: Spent, kept?: Spent): Spent {
  return {
    requests: now.requests + (kept?.requests ?? 0),
    completions: now.completions + (kept?.completions ?? 0),
    outputTokens: now.outputTokens + (kept?.outputTokens ?? 0),
    uncertain: now.uncertain + (kept?.uncertain ?? 0),
  };
}

const keptOf = new WeakMap<Sandbox, KeptResults>();

export function keptResults(sandbox: Sandbox): KeptResults | undefined {
  return keptOf.get(sandbox);
}

/** Keeps for ever what was judged of the oldest requests, which the sandbox drops now, and what became of them. */
export function keepResults(sandbox: Sandbox, now: Omit<KeptResults, 'dropped'>): void {
  const before = keptOf.get(sandbox);
  keptOf.set(sandbox, {
    dropped: (before?.dropped ?? 0) + now.spent.requests,
    checks: withKept(now.checks, before?.checks),
    spent: withSpent(now.spent, before?.spent),
    hasServed: now.hasServed || before?.hasServed === true,
  });
}

const LONGEST_OUTPUT = 20_000;

function outputOf(end: CallerEnd): string {
  return end.kind === 'watched' ? '' : end.output.slice(-LONGEST_OUTPUT);
}

/** What a caller did in each scenario that was played, with the verdicts of the checks on it. */
export function scenarioResults(
  timelines: readonly Timeline[],
  verdicts: readonly ScenarioResult['verdicts'][],
): readonly ScenarioResult[] {
  return timelines.flatMap((timeline, index) =>
    timeline.scenario === 'watched'
      ? []
      : [
          {
            name: timeline.scenario,
            end: callerEnding(timeline.end),
            output: outputOf(timeline.end),
            verdicts: verdicts[index] ?? [],
            timeline: wholeTimeline(timeline),
            requests: timeline.requests.map(pictured),
          },
        ],
  );
}
