import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { World } from '../../mock-server/world/world.ts';
import { type CallerEnd, STATED_TIMEOUT_MS, type Timeline } from '../../suites/caller/timeline.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import { type CallerInputs, type StartCaller, timelineItem } from './caller-inputs.ts';
import { callerSummary } from './caller-summary.ts';
import { readRecords } from './driver-records.ts';
import { connectionsSettled, observedTimeline, withoutKeysOf } from './observe-sandbox.ts';
import {
  CALLER_SCENARIOS,
  type CallerScenario,
  type CallerScenarioName,
  type Timeouts,
} from './scenarios.ts';

/** Those of all scenarios that hold answers, in place of their own, which show in seconds whether a caller keeps to them. */
export const REAL_TIMEOUTS: Timeouts = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };

export interface CallerTrial {
  /** What reports call the caller. */
  readonly name: string;
  readonly scenarios: readonly CallerScenarioName[];
  readonly seed: number;
  readonly start: StartCaller;
  /** Whether held answers are held for longer than the stated timeout. */
  readonly isRealTime?: boolean;
  /** When aborted, no further scenario begins. */
  readonly signal?: AbortSignal;
  readonly onPlayed?: (timeline: Timeline) => void;
}

interface PlayedScenario {
  readonly timeline: Timeline;
  readonly outputTokens: number;
  /** What was wrong with the driver's records; undefined: nothing. */
  readonly problem: string | undefined;
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
    onPlayed?.(one.timeline);
  }
  const missing = scenarios.length - played.length;
  const timelines = played.map(({ timeline }) => timeline);
  return callerSummary(timelines, {
    name,
    seed,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    outputTokens: played.reduce((sum, one) => sum + one.outputTokens, 0),
    problems: [
      ...played.flatMap(({ problem }) => problem ?? []),
      ...(missing === 0 ? [] : [`interrupted: ${missing} scenarios were not played`]),
    ],
  });
}

/** Plays a scenario with a caller, on a mock and in a folder of its own. */
async function playScenario(
  name: CallerScenarioName,
  { seed, start, isRealTime }: CallerTrial,
): Promise<PlayedScenario> {
  const scenario = CALLER_SCENARIOS[name];
  const held = scenario.held && (isRealTime === true ? REAL_TIMEOUTS : scenario.held);
  const mock = await startScenarioMock(seed, name, scenario, held);
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  // A short timeout only where an answer is held: otherwise a slow machine looks like a caller that leaves early.
  const timeoutMs = held?.timeoutMs ?? STATED_TIMEOUT_MS;
  const record = join(folder, 'record.ndjson');
  const { items, atOnce } = scenario;
  try {
    const task = { version: 1, scenario: name, atOnce, wishes: items } as const;
    return await observe(mock, start, { timeoutMs, record, task });
  } finally {
    mock.sandboxes.root.end();
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets a caller run to its end, and makes the timeline of what it did. */
async function observe(
  mock: Mock,
  start: StartCaller,
  told: Pick<CallerInputs, 'timeoutMs' | 'task' | 'record'>,
): Promise<PlayedScenario> {
  const { scenario, atOnce, wishes } = told.task;
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
  await connectionsSettled(observed);
  delay.disable();
  const { records, problem } = readRecords(told.record);
  const endedAt = end.kind === 'stopped' ? observed.startedAt + end.afterMs : Infinity;
  const timeline = observedTimeline(
    { ...observed, endedAt },
    {
      scenario,
      items: wishes.map(timelineItem),
      atOnce,
      records,
      timeoutMs: told.timeoutMs,
      secretModels: true,
      givenModel: model,
      lagMs: delay.max / 1e6,
      end: shownEnd(end, withoutKeysOf(observed.service, elsewhere), observed.startedAt),
    },
  );
  return { timeline, outputTokens: outputTokens(mock), problem: problem && `${scenario}: ${problem}` };
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
  seed: number,
  name: string,
  scenario: CallerScenario,
  held: Timeouts | undefined,
): Promise<Mock> {
  const { faults } = scenario;
  return startMock({
    world: callerWorld(seed, name, scenario),
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
function callerWorld(seed: number, name: string, { vision: takesImages = true }: CallerScenario): World {
  const word = (what: string, length: number): string =>
    hash('sha256', `${seed}\n${name}\n${what}`, 'hex').slice(0, length);
  const renamed = (id: string): string => id.replace(/-\d+$/, `-${word('models', 6)}`);
  return {
    ...builtInWorld,
    models: builtInWorld.models.map(({ id, vision, ...model }) => ({
      ...model,
      id: renamed(id),
      vision: takesImages && vision === true,
    })),
    keys: builtInWorld.keys.map((key) => ({
      ...key,
      key: `mock-${word(key.name, 40)}`,
      ...(key.models !== undefined && { models: key.models.map(renamed) }),
    })),
  };
}
