import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { Key, Model, World } from '../../mock-server/world/world.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/observed/timeline.ts';
import { beginningOf, type CallerInputs, readRecords, type StartCaller, taskOf } from './caller-inputs.ts';
import { callerTimeline, connectionsSettled, withoutKeysOf } from './observe-caller.ts';
import {
  CALLER_SCENARIOS,
  type CallerScenario,
  type CallerScenarioName,
  type Timeouts,
} from './scenarios.ts';

/** The timeout of the specification's tested configuration (CALL-6). */
export const STATED_TIMEOUT_MS = 120_000;

/** Those of all scenarios that hold answers, in place of their own, which show in seconds whether a caller keeps to them. */
export const REAL_TIMEOUTS: Timeouts = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };

/** How every scenario is played. */
export interface HowToPlay {
  readonly seed: number;
  readonly start: StartCaller;
  /** Whether held answers are held for longer than the stated timeout. */
  readonly isRealTime?: boolean;
}

export interface PlayedScenario {
  readonly timeline: Timeline;
  readonly outputTokens: number;
  /** What was wrong with the driver's records; undefined: nothing. */
  readonly problem: string | undefined;
}

/** Plays a scenario with a caller, on a mock and in a folder of its own. */
export async function playScenario(name: CallerScenarioName, how: HowToPlay): Promise<PlayedScenario> {
  const scenario = CALLER_SCENARIOS[name];
  const held = scenario.held && (how.isRealTime === true ? REAL_TIMEOUTS : scenario.held);
  const mock = await startScenarioMock(callerWorld(how.seed, name, scenario), how.seed, scenario, held);
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  // A short timeout only where an answer is held: otherwise a slow machine looks like a caller that leaves early.
  const timeoutMs = held?.timeoutMs ?? STATED_TIMEOUT_MS;
  const record = join(folder, 'record.ndjson');
  try {
    return await observe(mock, scenario, how.start, { timeoutMs, record, task: taskOf(name, scenario) });
  } finally {
    mock.sandboxes.root.end();
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets a caller run to its end, and makes the timeline of what it did. */
async function observe(
  mock: Mock,
  { items, atOnce }: CallerScenario,
  start: StartCaller,
  told: Pick<CallerInputs, 'timeoutMs' | 'task' | 'record'>,
): Promise<PlayedScenario> {
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const observed = { service: mock.sandboxes.root, elsewhere, startedAt: performance.now() };
  const model = givenModelOf(mock.world);
  const delay = monitorEventLoopDelay();
  delay.enable();
  const end = await start({
    ...told,
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
    model,
  });
  const { records, problem } = readRecords(told.record);
  await connectionsSettled(observed);
  delay.disable();
  const timeline = callerTimeline(observed, {
    scenario: told.task.scenario,
    items: items.map((item) => ({ id: item.id, begins: beginningOf(item), image: item.image !== undefined })),
    atOnce,
    records,
    timeoutMs: told.timeoutMs,
    secretModels: true,
    givenModel: model,
    lagMs: delay.max / 1e6,
    end: shownEnd(end, withoutKeysOf(observed.service, elsewhere), observed.startedAt),
    endedAt: end.kind === 'stopped' ? observed.startedAt + end.afterMs : Infinity,
  });
  return { timeline, outputTokens: outputTokens(mock), problem };
}

/** The end without keys, its time counted from the start of the observation. */
function shownEnd(end: CallerEnd, without: (text: string) => string, startedAt: number): CallerEnd {
  if (end.kind === 'watched') return end;
  const shown = { ...end, output: without(end.output), stderr: without(end.stderr ?? '') };
  return 'at' in shown && shown.at !== undefined ? { ...shown, at: shown.at - startedAt } : shown;
}

/** How many output tokens a mock generated. */
export function outputTokens({ ledger }: Pick<Mock, 'ledger'>): number {
  return ledger.entries().reduce((sum, { work }) => sum + (work?.outputTokens ?? 0), 0);
}

/**
 * Milliseconds until a chat is refused or begun, and until a completion that was begun is answered: longer than a caller
 * on a busy machine takes between the requests that it sends at once.
 */
const LATENCY_MS = 250;

function startScenarioMock(
  world: World,
  seed: number,
  { faults }: CallerScenario,
  held: Timeouts | undefined,
): Promise<Mock> {
  return startMock({
    world,
    seed,
    ...(held === undefined
      ? { faults, latencyPerRequest: LATENCY_MS, latency: LATENCY_MS }
      : { faults: faults.map((line) => `${line} ms=${held.answerAfterMs}`) }),
    control: true,
    witnessed: true,
    // One field too many hides nothing else: it is seen, and the scenario goes on.
    lenient: true,
  });
}

/** A model for applications that take theirs from their configuration: one that takes images too, if there is one. */
function givenModelOf({ models }: World): string {
  const listed = models.filter(({ available }) => available !== false);
  return (listed.find(({ vision }) => vision === true) ?? listed[0])?.id ?? '';
}

/**
 * The built-in world with its own model IDs and keys for each seed and scenario: a caller that uses one of them has
 * read it here, and a key that turns up elsewhere is from here.
 */
function callerWorld(seed: number, name: string, { vision = true }: CallerScenario): World {
  const word = (what: string, length: number): string =>
    hash('sha256', `${seed}\n${name}\n${what}`, 'hex').slice(0, length);
  const renamed = (id: string): string => id.replace(/-\d+$/, `-${word('models', 6)}`);
  const models = builtInWorld.models.map((model): Model => ({
    ...model,
    id: renamed(model.id),
    vision: vision && model.vision === true,
  }));
  const keys = builtInWorld.keys.map((key): Key => ({
    ...key,
    key: `mock-${word(key.name, 40)}`,
    ...(key.models !== undefined && { models: key.models.map(renamed) }),
  }));
  return { ...builtInWorld, models, keys };
}
