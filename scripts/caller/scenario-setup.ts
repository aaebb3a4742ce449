import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLER_SCENARIOS, type CallerScenarioName } from './scenarios/caller-scenarios.ts';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import type { CallerEnd, DriverRecord, Timeline } from '../../suites/caller/timeline.ts';
import type { CallerInputs } from './caller-inputs.ts';
import { beginningOf, taskOf } from './caller-task.ts';
import { callerWorld } from './caller-world.ts';
import type { Timeouts } from './timeouts.ts';
import { STATED_TIMEOUT_MS } from './timeouts.ts';
import {
  callerTimeline,
  connectionsSettled,
  type ObservedSandboxes,
  withoutKeysOf,
} from './observe-caller.ts';

/** A scenario that is set up, and waits for a caller. */
export interface ScenarioSetup {
  readonly mock: Mock;
  readonly place: CallerInputs;
  /** All that was seen, once the caller has ended. */
  readonly observe: (end: CallerEnd, records: readonly DriverRecord[] | undefined) => Promise<Timeline>;
  /** Ends the mock, and removes what was written. */
  readonly close: () => Promise<void>;
}

function faultsOf(name: CallerScenarioName, { answerAfterMs }: Timeouts): readonly string[] {
  return CALLER_SCENARIOS[name].faults.map((line) =>
    line.startsWith('timeout ') ? `${line} ms=${answerAfterMs}` : line,
  );
}

/** An end as the judge is to see it: without keys, its time counted from the beginning of the watch. */
function seenEnd(end: CallerEnd, observed: ObservedSandboxes): CallerEnd {
  if (end.kind === 'watched') return end;
  const output = withoutKeysOf(observed)(end.output);
  if (end.kind === 'stopped' || end.at === undefined) return { ...end, output };
  return { ...end, output, at: end.at - observed.startedAt };
}

function placeAt(
  mock: Mock,
  observed: ObservedSandboxes,
  record: string,
): Omit<CallerInputs, 'timeoutMs' | 'task'> {
  return {
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: observed.elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
    record,
  };
}

async function seen(
  name: CallerScenarioName,
  timeoutMs: number,
  observed: ObservedSandboxes,
  end: CallerEnd,
): Promise<Timeline> {
  const endedAt = end.kind === 'stopped' ? observed.startedAt + end.afterMs : Infinity;
  await connectionsSettled(observed);
  const items = CALLER_SCENARIOS[name].items.map((item) => ({
    id: item.id,
    begins: beginningOf(item),
    image: item.image !== undefined,
  }));
  const { atOnce } = CALLER_SCENARIOS[name];
  const details = { scenario: name, items, atOnce, records: undefined, timeoutMs, secretModels: true };
  return callerTimeline(observed, { ...details, endedAt, end: seenEnd(end, observed) });
}

/** Sets a scenario up, on a mock and in a folder of its own. */
export async function setUpScenario(
  name: CallerScenarioName,
  seed: number,
  patience: Timeouts,
): Promise<ScenarioSetup> {
  const scenario = CALLER_SCENARIOS[name];
  const mock = await startMock({
    world: callerWorld(seed, name, scenario),
    seed,
    faults: faultsOf(name, patience),
    ...(scenario.gatherMs !== undefined && { gatherMs: scenario.gatherMs }),
    control: true,
    witnessed: true,
  });
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const observed = { service: mock.sandboxes.root, elsewhere, startedAt: performance.now() };
  // Only where an answer is held back: elsewhere a slow machine would look like a caller that leaves too early.
  const timeoutMs = name === 'no-answer' ? patience.timeoutMs : STATED_TIMEOUT_MS;
  return {
    mock,
    place: {
      ...placeAt(mock, observed, join(folder, 'record.ndjson')),
      timeoutMs,
      task: taskOf(name, scenario),
    },
    observe: async (end, records) => ({ ...(await seen(name, timeoutMs, observed, end)), records }),
    close: async () => {
      mock.sandboxes.root.end();
      await mock.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
