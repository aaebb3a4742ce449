import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CallerEnd, Timeline } from '../../suites/caller/observed/timeline.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { type CallerInputs, readRecords, taskOf } from './caller-inputs.ts';
import { callerSummary } from './caller-summary.ts';
import { callerTimeline, connectionsSettled } from './observe-caller.ts';
import {
  addressesOf,
  askedOf,
  type ChosenTimeouts,
  givenModelOf,
  observedEnd,
  outputTokens,
  startScenarioMock,
  STATED_TIMEOUT_MS,
  timeoutsOf,
} from './scenario-setup.ts';
import { CALLER_SCENARIOS, type CallerScenarioName } from './scenarios.ts';

/** Runs a caller to its end. The time of the end is that of `performance.now()`. */
export type StartCaller = (inputs: CallerInputs) => Promise<CallerEnd>;

export interface PlayedScenario {
  readonly timeline: Timeline;
  readonly outputTokens: number;
  /** What was wrong with the driver's records; undefined: nothing. */
  readonly problem: string | undefined;
}

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

/** Plays a scenario with a caller, on a mock and in a folder of its own. */
async function playScenario(
  name: CallerScenarioName,
  { seed, timeouts, start }: CallerTrial,
): Promise<PlayedScenario> {
  const scenario = CALLER_SCENARIOS[name];
  const held = timeoutsOf(scenario, timeouts);
  const mock = await startScenarioMock(name, seed, held);
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const observed = { service: mock.sandboxes.root, elsewhere, startedAt: performance.now() };
  const delay = monitorEventLoopDelay();
  delay.enable();
  try {
    const inputs: CallerInputs = {
      ...addressesOf(mock, elsewhere),
      // A short timeout only where an answer is held: otherwise a slow machine looks like a caller that leaves early.
      timeoutMs: held?.timeoutMs ?? STATED_TIMEOUT_MS,
      model: givenModelOf(mock.world),
      task: taskOf(name, scenario),
      record: join(folder, 'record.ndjson'),
    };
    const end = await start(inputs);
    const { records, problem } = readRecords(inputs.record);
    await connectionsSettled(observed);
    const timeline = callerTimeline(observed, {
      ...askedOf(scenario, inputs),
      records,
      lagMs: delay.max / 1e6,
      end: observedEnd(end, observed),
      endedAt: end.kind === 'stopped' ? observed.startedAt + end.afterMs : Infinity,
    });
    return { timeline, outputTokens: outputTokens(mock), problem };
  } finally {
    delay.disable();
    observed.service.end();
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
