import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { Key, Model, World } from '../../mock-server/world/world.ts';
import type {
  CallerEnd,
  DriverRecord,
  Timeline,
  TimelineItem,
} from '../../suites/caller/observed/timeline.ts';
import { type CallerInputs, beginningOf, taskOf } from './caller-inputs.ts';
import {
  callerTimeline,
  connectionsSettled,
  type ObservedSandboxes,
  withoutKeysOf,
} from './observe-caller.ts';
import {
  CALLER_SCENARIOS,
  type CallerScenarioName,
  type CallerScenario,
  type Timeouts,
} from './scenarios.ts';

/** The timeout of the specification's tested configuration (CALL-6). */
export const STATED_TIMEOUT_MS = 120_000;

/** Shorter timeouts than the real one show within seconds whether the caller keeps to them: each scenario has its own. */
export const SHORT_TIMEOUTS = 'short';
export const REAL_TIMEOUTS: Timeouts = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };

/** `short`: those of the scenario. */
export type ChosenTimeouts = Timeouts | typeof SHORT_TIMEOUTS;

/** A scenario that waits for a caller. */
export interface ScenarioSetup {
  readonly mock: Mock;
  readonly place: CallerInputs;
  /** The caller's timeline, once the caller has ended. */
  readonly observe: (end: CallerEnd, records: readonly DriverRecord[] | undefined) => Promise<Timeline>;
  /** Stops the mock, and removes the folder. */
  readonly close: () => Promise<void>;
}

/** Undefined: the scenario holds no answer. */
function timeoutsOf({ held }: CallerScenario, chosen: ChosenTimeouts): Timeouts | undefined {
  return held === undefined || chosen === SHORT_TIMEOUTS ? held : chosen;
}

function faultsOf({ faults }: CallerScenario, timeouts: Timeouts | undefined): readonly string[] {
  return timeouts === undefined
    ? faults
    : faults.map((line) => (line.startsWith('timeout ') ? `${line} ms=${timeouts.answerAfterMs}` : line));
}

/** The end without keys, its time counted from the start of the observation. */
function observedEnd(end: CallerEnd, observed: ObservedSandboxes): CallerEnd {
  if (end.kind === 'watched') return end;
  const without = withoutKeysOf(observed);
  const texts = {
    output: without(end.output),
    ...(end.stderr !== undefined && { stderr: without(end.stderr) }),
  };
  if (end.kind === 'stopped' || end.at === undefined) return { ...end, ...texts };
  return { ...end, ...texts, at: end.at - observed.startedAt };
}

function addresses(
  mock: Mock,
  { elsewhere }: ObservedSandboxes,
): Omit<CallerInputs, 'timeoutMs' | 'model' | 'task' | 'record'> {
  return {
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
  };
}

function timelineItems({ items }: CallerScenario): readonly TimelineItem[] {
  return items.map((item) => ({
    id: item.id,
    begins: beginningOf(item),
    image: item.image !== undefined,
  }));
}

/** A model for applications that take theirs from their configuration: one that takes images too, if there is one. */
function givenModelOf({ models }: World): string {
  const listed = models.filter(({ available }) => available !== false);
  return (listed.find(({ vision }) => vision === true) ?? listed[0])?.id ?? '';
}

/** Sets a scenario up, with its own mock and folder. */
export async function setUpScenario(
  name: CallerScenarioName,
  seed: number,
  chosen: ChosenTimeouts,
): Promise<ScenarioSetup> {
  const scenario = CALLER_SCENARIOS[name];
  const timeouts = timeoutsOf(scenario, chosen);
  const mock = await startScenarioMock(name, seed, timeouts);
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const observed = { service: mock.sandboxes.root, elsewhere, startedAt: performance.now() };
  // A short timeout only where an answer is held: otherwise a slow machine looks like a caller that leaves early.
  const timeoutMs = timeouts?.timeoutMs ?? STATED_TIMEOUT_MS;
  const [{ atOnce }, model] = [scenario, givenModelOf(mock.world)];
  const known = { scenario: name, items: timelineItems(scenario), atOnce, timeoutMs, secretModels: true };
  const task = taskOf(name, scenario);
  const delay = monitorEventLoopDelay();
  delay.enable();
  return {
    mock,
    place: { ...addresses(mock, observed), record: join(folder, 'record.ndjson'), timeoutMs, model, task },
    observe: async (end, records) => {
      await connectionsSettled(observed);
      const endedAt = end.kind === 'stopped' ? observed.startedAt + end.afterMs : Infinity;
      const seen = { givenModel: model, lagMs: delay.max / 1e6, end: observedEnd(end, observed) };
      return callerTimeline(observed, { ...known, ...seen, records, endedAt });
    },
    close: async () => {
      delay.disable();
      mock.sandboxes.root.end();
      await mock.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Milliseconds without a new request after which all requests in flight are answered, a fault before all others: longer
 * than a caller on a busy machine takes between the requests that it sends at once.
 */
const GATHER_MS = 250;

function startScenarioMock(
  name: CallerScenarioName,
  seed: number,
  timeouts: Timeouts | undefined,
): Promise<Mock> {
  const scenario = CALLER_SCENARIOS[name];
  return startMock({
    world: callerWorld(seed, name, scenario),
    seed,
    faults: faultsOf(scenario, timeouts),
    ...(scenario.held === undefined && { gatherMs: GATHER_MS }),
    control: true,
    witnessed: true,
    // One field too many hides nothing else: it is seen, and the scenario goes on.
    lenient: true,
  });
}

/** How many output tokens a mock generated. */
export function outputTokens({ ledger }: Pick<Mock, 'ledger'>): number {
  return ledger.entries().reduce((sum, { work }) => sum + (work?.outputTokens ?? 0), 0);
}

function word(seed: number, scenario: string, what: string, length: number): string {
  return hash('sha256', `${seed}\n${scenario}\n${what}`, 'hex').slice(0, length);
}

/**
 * The built-in world with its own model IDs and keys for each seed and scenario: a caller that uses one of them has
 * read it here, and a key that turns up elsewhere is from here.
 */
function callerWorld(seed: number, name: string, { vision = true }: CallerScenario): World {
  const suffix = word(seed, name, 'models', 6);
  const renamed = (id: string): string => id.replace(/-\d+$/, `-${suffix}`);
  const models = builtInWorld.models.map((model): Model => ({
    ...model,
    id: renamed(model.id),
    vision: vision && model.vision === true,
  }));
  const keys = builtInWorld.keys.map((key): Key => {
    const own = { ...key, key: `mock-${word(seed, name, key.name, 40)}` };
    return key.models === undefined ? own : { ...own, models: key.models.map(renamed) };
  });
  return { ...builtInWorld, models, keys };
}
