import type { Summary } from '../../suites/engine/model/summary.ts';
import { callerSummary } from './caller-summary.ts';
import { type HowToPlay, type PlayedScenario, playScenario } from './play-scenario.ts';
import type { CallerScenarioName } from './scenarios.ts';

export interface CallerTrial extends HowToPlay {
  /** What reports call the caller. */
  readonly name: string;
  readonly scenarios: readonly CallerScenarioName[];
  /** When aborted, no further scenario begins. */
  readonly signal?: AbortSignal;
  readonly onPlayed?: (played: PlayedScenario) => void;
}

/** Plays the scenarios with a caller, one after the other, and judges the caller by all of them. */
export async function tryCaller(trial: CallerTrial): Promise<Summary> {
  const { name, seed, scenarios, signal, onPlayed } = trial;
  const startedAt = new Date();
  const played: PlayedScenario[] = [];
  for (const scenario of scenarios) {
    const one = signal?.aborted === true ? undefined : await playScenario(scenario, trial);
    if (one === undefined || signal?.aborted === true) break;
    played.push(one);
    onPlayed?.(one);
  }
  const missing = scenarios.length - played.length;
  return callerSummary(
    played.map(({ timeline }) => timeline),
    {
      name,
      seed,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      outputTokens: played.reduce((sum, one) => sum + one.outputTokens, 0),
      problems: [
        ...played.flatMap(({ timeline, problem }) =>
          problem === undefined ? [] : `${timeline.scenario}: ${problem}`,
        ),
        ...(missing === 0 ? [] : [`interrupted: ${missing} scenarios were not played`]),
      ],
    },
  );
}
