import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pMap from 'p-map';
import { z } from 'zod';
import { startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { World } from '../../mock-server/world/world-schema.ts';
import { type DriverRecord, STATED_TIMEOUT_MS, type Timeline } from '../../suites/caller/timeline.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import { jsonIn } from '../../suites/engine/reading/json.ts';
import { callerSummary } from './caller-summary.ts';
import { connectionsSettled, observedTimeline } from './observe-sandbox.ts';
import {
  CALLER_SCENARIOS,
  callerScenarioNames,
  type CallerScenarioName,
  type Timeouts,
} from './scenarios.ts';
import type { StartCaller } from './start-command.ts';

/** Those of all scenarios that hold answers, in place of their own, which show in seconds whether a caller keeps to them. */
export const REAL_TIMEOUTS: Timeouts = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };

export interface CallerTrial {
  /** What reports call the caller. */
  readonly name: string;
  readonly scenarios: readonly CallerScenarioName[];
  readonly seed: number;
  readonly start: StartCaller;
  /** How many scenarios to play side by side; 4 by default. */
  readonly concurrency?: number | undefined;
  /** Whether held answers are held for longer than the stated timeout. */
  readonly isRealTime?: boolean;
  /** When aborted, no further scenario begins. */
  readonly signal?: AbortSignal;
  readonly onPlayed?: (timeline: Timeline) => void;
}

/** Few enough for a machine with two cores to start a heavy program so many times at once. */
const CONCURRENCY = 4;

function isTimed(name: CallerScenarioName): boolean {
  const { held, showsWidth = false } = CALLER_SCENARIOS[name];
  return held !== undefined || showsWidth;
}

/** Plays the scenarios with a caller, and judges the caller by all of them, in the order of the catalogue. */
export async function tryCaller(trial: CallerTrial): Promise<Summary> {
  const { name, seed, signal, concurrency = CONCURRENCY } = trial;
  const scenarios = callerScenarioNames().filter((each) => trial.scenarios.includes(each));
  const startedAt = new Date();
  const played = new Map<CallerScenarioName, Timeline>();
  const isOver = (): boolean => signal?.aborted === true;
  const play = async (scenario: CallerScenarioName): Promise<void> => {
    const timeline = isOver() ? undefined : await playScenario(scenario, trial);
    if (timeline === undefined || isOver()) return;
    played.set(scenario, timeline);
    trial.onPlayed?.(timeline);
  };
  // First those that a busy machine disturbs.
  for (const some of [scenarios.filter(isTimed), scenarios.filter((each) => !isTimed(each))])
    await pMap(some, play, { concurrency });
  const missing = scenarios.length - played.size;
  const cutShort = missing === 0 ? [] : [`interrupted: ${missing} scenarios were not played`];
  const durationMs = Date.now() - startedAt.getTime();
  const timelines = scenarios.flatMap((scenario) => played.get(scenario) ?? []);
  return callerSummary(timelines, { name, seed, startedAt, durationMs, cutShort });
}

/** Lets a caller run to its end, on a mock and with a folder of its own, and makes the timeline of what it did. */
async function playScenario(scenario: CallerScenarioName, { seed, start, isRealTime }: CallerTrial) {
  const { clauses, atOnce, items, restarts = false, held: ownTimeouts } = CALLER_SCENARIOS[scenario];
  const held = ownTimeouts && (isRealTime === true ? REAL_TIMEOUTS : ownTimeouts);
  const mock = await startScenarioMock(seed, scenario, held);
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const observed = { service: mock.sandboxes.root, elsewhere };
  // A short timeout only where an answer is held: otherwise a slow machine looks like a caller that leaves early.
  const timeoutMs = held?.timeoutMs ?? STATED_TIMEOUT_MS;
  const givenModel = givenModelOf(mock.world);
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  const record = join(folder, 'record.ndjson');
  const asked = { scenario, clauses, atOnce, items, secretModels: true, timeoutMs, givenModel };
  const inputs = {
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
    timeoutMs,
    model: givenModel,
    task: { version: 1 as const, scenario, atOnce, wishes: items },
    folder: mkdtempSync(join(folder, 'own-')),
    restarts,
    record,
  };
  const [startedAt, delay] = [performance.now(), monitorEventLoopDelay()];
  delay.enable();
  try {
    const end = await start(inputs);
    await connectionsSettled(observed);
    const measured = { startedAt, lagMs: delay.max / 1e6, end };
    const left = { files: textsIn(inputs.folder), ...readRecords(record) };
    return observedTimeline(observed, { ...asked, ...measured, ...left });
  } finally {
    delay.disable();
    mock.sandboxes.root.end();
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [MOST_FILES, LARGEST_FILE] = [1000, 1024 * 1024];

/** What stands in the files of a folder, but for the largest; nothing if one of them cannot be read. */
function textsIn(folder: string): string {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const read = files.slice(0, MOST_FILES).filter((file) => statSync(file).size <= LARGEST_FILE);
    return read.map((file) => readFileSync(file, 'latin1')).join('\n');
  } catch {
    return '';
  }
}

const recordSchema: z.ZodType<DriverRecord> = z.object({
  wish: z.string(),
  idempotencyKey: z.string().optional().catch(undefined),
  outcome: z.enum(['served', 'refused', 'uncertain']),
});

/** What a driver wrote to `CHAT_RECORD`, one record a line; undefined: nothing at all. And what is wrong with it. */
function readRecords(file: string) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => recordSchema.safeParse(jsonIn(line)).data);
  const records = read.filter((record) => record !== undefined);
  const wrong = read.indexOf(undefined);
  return {
    records: lines.length === 0 ? undefined : records,
    problems: wrong === -1 ? [] : [`line ${wrong + 1} of CHAT_RECORD is not a record`],
  };
}

/**
 * Milliseconds until a chat is refused or begun, and until a completion that was begun is answered: longer than a caller
 * on a busy machine takes between the requests that it sends at once.
 */
const LATENCY_MS = 250;

async function startScenarioMock(seed: number, name: CallerScenarioName, held: Timeouts | undefined) {
  const { faults, vision } = CALLER_SCENARIOS[name];
  return startMock({
    world: worldWith(hash('sha256', `${seed}\n${name}`, 'hex').slice(0, 6), vision !== false),
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

/** The built-in world with model IDs that end in a word of its own: a caller that uses one of them has read it here. */
function worldWith(word: string, takesImages: boolean): World {
  const renamed = (id: string): string => id.replace(/-\d+$/, `-${word}`);
  const { models, keys } = builtInWorld;
  return {
    ...builtInWorld,
    models: models.map(({ id, vision, ...model }) => ({
      ...model,
      id: renamed(id),
      vision: takesImages && vision === true,
    })),
    keys: keys.map((key) => ({ ...key, ...(key.models && { models: key.models.map(renamed) }) })),
  };
}
