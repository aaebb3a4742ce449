import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLER_SCENARIOS, type CallerScenarioName } from './scenarios/caller-scenarios.ts';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import type { CallerEnd, DriverRecord, Timeline } from '../../suites/caller/timeline.ts';
import type { CallerPlace } from './caller-place.ts';
import { beginningOf, taskOf } from './caller-task.ts';
import { callerWorld } from './caller-world.ts';
import type { Patience } from './patience.ts';
import { STATED_TIMEOUT_MS } from './patience.ts';
import { seeCaller, settled, type WatchPost, withoutKeysOf } from './see-caller.ts';

/** A scenario that is set up, and waits for a caller. */
export interface Stage {
  readonly mock: Mock;
  readonly place: CallerPlace;
  /** All that was seen, once the caller has ended. */
  readonly see: (end: CallerEnd, records: readonly DriverRecord[] | undefined) => Promise<Timeline>;
  /** Ends the mock, and removes what was written. */
  readonly close: () => Promise<void>;
}

function faultsOf(name: CallerScenarioName, { answerAfterMs }: Patience): readonly string[] {
  return CALLER_SCENARIOS[name].faults.map((line) =>
    line.startsWith('timeout ') ? `${line} ms=${answerAfterMs}` : line,
  );
}

/** An end as the judge is to see it: without keys, its time counted from the beginning of the watch. */
function seenEnd(end: CallerEnd, post: WatchPost): CallerEnd {
  if (end.kind === 'watched') return end;
  const output = withoutKeysOf(post)(end.output);
  if (end.kind === 'stopped' || end.at === undefined) return { ...end, output };
  return { ...end, output, at: end.at - post.began };
}

function placeAt(mock: Mock, post: WatchPost, record: string): Omit<CallerPlace, 'timeoutMs' | 'task'> {
  return {
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: post.elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
    record,
  };
}

async function seen(
  name: CallerScenarioName,
  timeoutMs: number,
  post: WatchPost,
  end: CallerEnd,
): Promise<Timeline> {
  const over = end.kind === 'stopped' ? post.began + end.afterMs : Infinity;
  await settled(post);
  const wishes = CALLER_SCENARIOS[name].wishes.map((wish) => ({
    id: wish.id,
    begins: beginningOf(wish),
    image: wish.image !== undefined,
  }));
  const { atOnce } = CALLER_SCENARIOS[name];
  const beside = { scenario: name, wishes, atOnce, records: undefined, timeoutMs, secretModels: true };
  return seeCaller(post, { ...beside, over, end: seenEnd(end, post) });
}

/** Sets a scenario up, on a mock and in a folder of its own. */
export async function setStage(name: CallerScenarioName, seed: number, patience: Patience): Promise<Stage> {
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
  const post = { service: mock.sandboxes.root, elsewhere, began: performance.now() };
  // Only where an answer is held back: elsewhere a slow machine would look like a caller that leaves too early.
  const timeoutMs = name === 'no-answer' ? patience.timeoutMs : STATED_TIMEOUT_MS;
  return {
    mock,
    place: { ...placeAt(mock, post, join(folder, 'record.ndjson')), timeoutMs, task: taskOf(name, scenario) },
    see: async (end, records) => ({ ...(await seen(name, timeoutMs, post, end)), records }),
    close: async () => {
      mock.sandboxes.root.end();
      await mock.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
