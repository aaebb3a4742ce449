import type { CallerEnd, Timeline } from '../../suites/caller/observed/timeline.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { type CallerInputs, readRecords } from './caller-inputs.ts';
import { callerSummary } from './caller-summary.ts';
import { type ChosenTimeouts, outputTokens, setUpScenario } from './scenario-setup.ts';
import type { CallerScenarioName } from './scenarios.ts';

/** Runs a caller to its end. The time of the end is that of `performance.now()`. */
export type StartCaller = (inputs: CallerInputs) => Promise<CallerEnd>;

export interface CallerTrial {
  /** What reports call the caller. */
  readonly name: string;
  readonly scenarios: readonly CallerScenarioName[];
  readonly seed: number;
  readonly timeouts: ChosenTimeouts;
  readonly start: StartCaller;
  /** When aborted, no further scenario begins. */
  readonly signal?: AbortSignal;
  readonly onPlayed?: (played: PlayedScenario) => void;
}

export interface PlayedScenario {
  readonly timeline: Timeline;
  readonly outputTokens: number;
  /** What was wrong with the driver's records; undefined: nothing. */
  readonly problem: string | undefined;
}

/** Plays the scenarios with a caller, one after the other, and judges the caller by all of them. */
export async function tryCaller(trial: CallerTrial): Promise<Summary> {
  const { name, seed, scenarios, signal, onPlayed } = trial;
  const startedAt = new Date();
  const began = performance.now();
  const played: PlayedScenario[] = [];
  const isOver = (): boolean => signal?.aborted === true;
  for (const scenario of scenarios) {
    if (isOver()) break;
    const one = await playScenario(scenario, trial);
    if (isOver()) break;
    played.push(one);
    onPlayed?.(one);
  }
  const missing = scenarios.length - played.length;
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
      outputTokens: played.reduce((sum, one) => sum + one.outputTokens, 0),
      problems: missing === 0 ? problems : [...problems, `interrupted: ${missing} scenarios were not played`],
    },
  );
}

async function playScenario(
  name: CallerScenarioName,
  { seed, timeouts, start }: CallerTrial,
): Promise<PlayedScenario> {
  const setup = await setUpScenario(name, seed, timeouts);
  try {
    const end = await start(setup.place);
    const { records, problem } = readRecords(setup.place.record);
    const timeline = await setup.observe(end, records);
    return { timeline, outputTokens: outputTokens(setup.mock), problem };
  } finally {
    await setup.close();
  }
}
