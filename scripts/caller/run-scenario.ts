import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLER_SCENARIOS, type CallerScenarioName } from '../../fixtures/caller-scenarios.ts';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/timeline.ts';
import type { CallerPlace } from './caller-place.ts';
import { beginningOf, taskOf } from './caller-task.ts';
import { callerWorld } from './caller-world.ts';
import { readRecords } from './read-records.ts';
import { seeCaller, settled, type WatchPost, withoutKeysOf } from './see-caller.ts';

/** Runs a caller to its end, within the bounds that its runner has. */
export type StartCaller = (place: CallerPlace) => Promise<CallerEnd>;

/** How long callers wait where they are told to, and how long the mock then does. */
export interface Patience {
  readonly timeoutMs: number;
  readonly answerAfterMs: number;
}

/** What the specification says. */
const STATED_TIMEOUT_MS = 120_000;

/** Told to wait for less, a caller shows within seconds that it does as it was told. */
export const VIRTUAL: Patience = { timeoutMs: 1500, answerAfterMs: 6000 };
export const REAL: Patience = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };

/** A scenario that was played. */
export interface PlayedScenario {
  readonly timeline: Timeline;
  readonly outputTokens: number;
  /** What was wrong with what its driver wrote; undefined: nothing. */
  readonly problem: string | undefined;
}

function faultsOf(name: CallerScenarioName, { answerAfterMs }: Patience): readonly string[] {
  return CALLER_SCENARIOS[name].faults.map((line) =>
    line.startsWith('timeout ') ? `${line} ms=${answerAfterMs}` : line,
  );
}

function outputTokens({ ledger }: Mock): number {
  return ledger.entries().reduce((sum, { work }) => sum + (work?.outputTokens ?? 0), 0);
}

function withoutKeys(end: CallerEnd, post: WatchPost): CallerEnd {
  return end.kind === 'watched' ? end : { ...end, output: withoutKeysOf(post)(end.output) };
}

async function play(
  name: CallerScenarioName,
  mock: Mock,
  patience: Patience,
  start: StartCaller,
  record: string,
): Promise<PlayedScenario> {
  const elsewhere = mock.sandboxes.create({ id: 'elsewhere' }) ?? undefined;
  const post = { service: mock.sandboxes.root, elsewhere, began: performance.now() };
  const scenario = CALLER_SCENARIOS[name];
  const timeoutMs = name === 'no-answer' ? patience.timeoutMs : STATED_TIMEOUT_MS;
  const end = await start({
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
    timeoutMs,
    task: taskOf(name, scenario),
    record,
  });
  const stoppedAt = end.kind === 'stopped' ? post.began + end.afterMs : Infinity;
  await settled(post);
  const { records, problem } = readRecords(record);
  const wishes = scenario.wishes.map((wish) => ({
    id: wish.id,
    begins: beginningOf(wish),
    image: wish.image !== undefined,
  }));
  const beside = { scenario: name, wishes, records, timeoutMs, secretModels: true, over: stoppedAt };
  const timeline = seeCaller(post, { ...beside, end: withoutKeys(end, post) });
  return { timeline, outputTokens: outputTokens(mock), problem };
}

/** Plays one scenario at a caller, on a mock and in a folder of its own, which are gone afterwards. */
export async function runScenario(
  name: CallerScenarioName,
  seed: number,
  patience: Patience,
  start: StartCaller,
): Promise<PlayedScenario> {
  const scenario = CALLER_SCENARIOS[name];
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-caller-'));
  const mock = await startMock({
    world: callerWorld(seed, name, scenario),
    seed,
    faults: faultsOf(name, patience),
    latency: scenario.latencyMs ?? 0,
    control: true,
    witnessed: true,
  });
  try {
    return await play(name, mock, patience, start, join(folder, 'record.ndjson'));
  } finally {
    mock.sandboxes.root.end();
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
