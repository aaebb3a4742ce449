import { randomInt } from 'node:crypto';
import type { CallerScenarioName } from '../scenarios/caller-scenarios.ts';
import type { DriverRecord } from '../../../suites/caller/timeline.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { callerVariables, type CallerInputs } from '../caller-inputs.ts';
import { callerSummary } from '../caller-summary.ts';
import { SHORT_TIMEOUTS } from '../timeouts.ts';
import { readRecords } from '../read-records.ts';
import { outputTokens } from '../run-scenario.ts';
import { setUpScenario } from '../scenario-setup.ts';
import { LARGEST_SEED } from '../../cli/options/check-flags.ts';

export { assertFaithful } from './unfaithfulness.ts';

/** A scenario, waiting for a caller that a test of its own runs. */
export interface CallerSandbox {
  /** Base URL, key, timeout, and the task of the scenario. */
  readonly place: CallerInputs;
  /** The same as environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the clauses say of the caller, once it has done what it does; `records`: what it kept of its requests. */
  judge(records?: readonly DriverRecord[]): Promise<Summary>;
  close(): Promise<void>;
}

/** Sets up a scenario for a caller: one of those that `chat-conformance caller` plays. */
export async function openSandbox(
  scenario: CallerScenarioName,
  seed: number = randomInt(LARGEST_SEED),
): Promise<CallerSandbox> {
  const stage = await setUpScenario(scenario, seed, SHORT_TIMEOUTS);
  const [startedAt, began] = [new Date(), performance.now()];
  return {
    place: stage.place,
    environment: callerVariables(stage.place, { baseUrl: [], apiKey: [] }),
    judge: async (records) => {
      const written = readRecords(stage.place.record).records;
      const timeline = await stage.observe({ kind: 'watched' }, records ?? written);
      const durationMs = performance.now() - began;
      const run = { name: scenario, seed, startedAt, durationMs, outputTokens: outputTokens(stage.mock) };
      return callerSummary([timeline], { ...run, problems: [] });
    },
    close: stage.close,
  };
}
