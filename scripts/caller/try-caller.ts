import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { World } from '../../mock-server/world/world-schema.ts';
import { type DriverRecord, STATED_TIMEOUT_MS, type Timeline } from '../../suites/caller/timeline.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import { parseJson } from '../../suites/engine/reading/json.ts';
import type { CallerInputs, StartCaller } from './caller-inputs.ts';
import { callerSummary } from './caller-summary.ts';
import { connectionsSettled, observedTimeline } from './observe-sandbox.ts';
import { CALLER_SCENARIOS, type CallerScenarioName, type Timeouts } from './scenarios.ts';

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

/** Plays the scenarios with a caller, one after the other, and judges the caller by all of them. */
export async function tryCaller(trial: CallerTrial): Promise<Summary> {
  const { name, seed, scenarios, signal, onPlayed } = trial;
  const startedAt = new Date();
  const timelines: Timeline[] = [];
  for (const scenario of scenarios) {
    const timeline = signal?.aborted === true ? undefined : await playScenario(scenario, trial);
    if (timeline === undefined || signal?.aborted === true) break;
    timelines.push(timeline);
    onPlayed?.(timeline);
  }
  const missing = scenarios.length - timelines.length;
  return callerSummary(timelines, {
    name,
    seed,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    cutShort: missing === 0 ? [] : [`interrupted: ${missing} scenarios were not played`],
  });
}

/** Lets a caller run to its end, on a mock and with a folder of its own, and makes the timeline of what it did. */
async function playScenario(
  scenario: CallerScenarioName,
  { seed, start, isRealTime }: CallerTrial,
): Promise<Timeline> {
  const { clauses, atOnce, items: wishes, held: ownTimeouts } = CALLER_SCENARIOS[scenario];
  const held = ownTimeouts && (isRealTime === true ? REAL_TIMEOUTS : ownTimeouts);
  const mock = await startScenarioMock(seed, scenario, held);
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const observed = { service: mock.sandboxes.root, elsewhere };
  const inputs: CallerInputs = {
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
    // A short timeout only where an answer is held: otherwise a slow machine looks like a caller that leaves early.
    timeoutMs: held?.timeoutMs ?? STATED_TIMEOUT_MS,
    model: givenModelOf(mock.world),
    task: { version: 1, scenario, atOnce, wishes },
    record: join(folder, 'record.ndjson'),
  };
  const [startedAt, delay] = [performance.now(), monitorEventLoopDelay()];
  delay.enable();
  try {
    const end = await start(inputs);
    await connectionsSettled(observed);
    delay.disable();
    const measured = { clauses, startedAt, lagMs: delay.max / 1e6, end };
    return observedTimeline(observed, { ...factsOf(inputs), ...measured, ...readRecords(inputs.record) });
  } finally {
    observed.service.end();
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a judge knows of a caller from what it was given. No two items of a task begin alike up to the colon. */
function factsOf({ task: { scenario, atOnce, wishes }, timeoutMs, model: givenModel }: CallerInputs) {
  const items = wishes.map(({ id, text, image }) => ({
    id,
    begins: text.slice(0, text.indexOf(':') + 1),
    image: image !== undefined,
  }));
  return { scenario, atOnce, items, timeoutMs, givenModel, secretModels: true };
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
  const read = lines.map((line) => {
    const reading = parseJson(Buffer.from(line));
    return recordSchema.safeParse(reading.kind === 'json' ? reading.value : undefined).data;
  });
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

function startScenarioMock(
  seed: number,
  name: CallerScenarioName,
  held: Timeouts | undefined,
): Promise<Mock> {
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
