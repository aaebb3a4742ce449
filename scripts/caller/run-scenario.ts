import type { CallerScenarioName } from './scenarios/caller-scenarios.ts';
import type { Mock } from '../../mock-server/start-mock.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/timeline.ts';
import type { CallerInputs } from './caller-inputs.ts';
import type { Timeouts } from './timeouts.ts';
import { readRecords } from './read-records.ts';
import { setUpScenario } from './scenario-setup.ts';

/** Runs a caller to its end, within the bounds that its runner has; the time of the end is the process's monotonic one. */
export type StartCaller = (place: CallerInputs) => Promise<CallerEnd>;

/** A scenario that was played. */
export interface PlayedScenario {
  readonly timeline: Timeline;
  readonly outputTokens: number;
  /** What was wrong with what its driver wrote; undefined: nothing. */
  readonly problem: string | undefined;
}

/** What was generated for whoever asked. */
export function outputTokens({ ledger }: Pick<Mock, 'ledger'>): number {
  return ledger.entries().reduce((sum, { work }) => sum + (work?.outputTokens ?? 0), 0);
}

/** Plays one scenario at a caller. */
export async function runScenario(
  name: CallerScenarioName,
  seed: number,
  patience: Timeouts,
  start: StartCaller,
): Promise<PlayedScenario> {
  const stage = await setUpScenario(name, seed, patience);
  try {
    const end = await start(stage.place);
    const { records, problem } = readRecords(stage.place.record);
    const timeline = await stage.observe(end, records);
    return { timeline, outputTokens: outputTokens(stage.mock), problem };
  } finally {
    await stage.close();
  }
}
