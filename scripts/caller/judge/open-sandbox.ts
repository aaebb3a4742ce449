import { randomInt } from 'node:crypto';
import type { DriverRecord } from '../../../suites/caller/observed/timeline.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { callerVariables, type CallerInputs, NO_MORE_NAMES, readRecords } from '../caller-inputs.ts';
import { callerSummary } from '../caller-summary.ts';
import { outputTokens, SHORT_TIMEOUTS, setUpScenario } from '../scenario-setup.ts';
import { callerScenarioNames, type CallerScenarioName, isCallerScenarioName } from '../scenarios.ts';
import { underWayProblem } from './judge-sandbox.ts';

export { assertFaithful } from './judge-sandbox.ts';
export { mockPerTest } from './mock-per-test.ts';

/** A scenario that waits for a caller which a test runs itself. */
export interface CallerSandbox {
  /** Base URL, key, timeout, and the task of the scenario. */
  readonly place: CallerInputs;
  /** The same as environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Judges the caller, once it is done; `records`: what it kept of its requests. */
  judge(records?: readonly DriverRecord[]): Promise<Summary>;
  close(): Promise<void>;
}

/** Sets up one of the scenarios that `chat-conformance caller` plays. */
export async function openSandbox(
  scenario: CallerScenarioName,
  seed: number = randomInt(2 ** 31),
): Promise<CallerSandbox> {
  if (!isCallerScenarioName(scenario))
    throw new Error(
      `no scenario is called ${JSON.stringify(scenario)}: there are ${callerScenarioNames().join(', ')}`,
    );
  const setup = await setUpScenario(scenario, seed, SHORT_TIMEOUTS);
  const [startedAt, began] = [new Date(), performance.now()];
  return {
    place: setup.place,
    environment: callerVariables(setup.place, NO_MORE_NAMES),
    judge: async (records) => {
      const written = readRecords(setup.place.record).records;
      const timeline = await setup.observe({ kind: 'watched' }, records ?? written);
      const durationMs = performance.now() - began;
      const run = { name: scenario, seed, startedAt, durationMs, outputTokens: outputTokens(setup.mock) };
      return callerSummary([timeline], { ...run, problems: underWayProblem(setup.mock.sandboxes.root) });
    },
    close: setup.close,
  };
}
