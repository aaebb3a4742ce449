import type { CallerScenarioName } from './scenarios/caller-scenarios.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { callerSummary } from './caller-summary.ts';
import type { Timeouts } from './timeouts.ts';
import { type PlayedScenario, runScenario, type StartCaller } from './run-scenario.ts';

/** A trial of one caller. */
export interface CallerTrial {
  /** What reports call the caller. */
  readonly name: string;
  readonly scenarios: readonly CallerScenarioName[];
  readonly seed: number;
  readonly patience: Timeouts;
  readonly start: StartCaller;
  /** When aborted, no more scenario begins. */
  readonly signal?: AbortSignal;
  readonly onPlayed?: (played: PlayedScenario) => void;
}

/** Plays the scenarios at a caller, one after the other, and judges it by all of them. */
export async function tryCaller(trial: CallerTrial): Promise<Summary> {
  const { name, seed, patience, start, signal } = trial;
  const startedAt = new Date();
  const began = performance.now();
  const played: PlayedScenario[] = [];
  const isOver = (): boolean => signal?.aborted === true;
  for (const scenario of trial.scenarios) {
    if (isOver()) break;
    const one = await runScenario(scenario, seed, patience, start);
    if (isOver()) break;
    played.push(one);
    trial.onPlayed?.(one);
  }
  const missing = trial.scenarios.length - played.length;
  const problems = played.flatMap(({ timeline, problem }) =>
    problem === undefined ? [] : [`${timeline.scenario}: ${problem}`],
  );
  return callerSummary(
    played.map(({ timeline }) => timeline),
    {
      name,
      seed,
      startedAt,
      durationMs: performance.now() - began,
      outputTokens: played.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      problems: missing === 0 ? problems : [...problems, `interrupted: ${missing} scenarios were not played`],
    },
  );
}
