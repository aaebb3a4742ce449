import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { World } from '../../mock-server/world/world.ts';

/** What the mock of a soak says of itself. Sizes in MB, delays in milliseconds. */
export interface SoakSample {
  readonly rss: number;
  /** After a garbage collection. */
  readonly heap: number;
  /** Open sockets, timers and the like. */
  readonly handles: number;
  /** Of the event loop, since the sample before. */
  readonly delay: { readonly p99: number; readonly max: number };
  readonly sandboxes: number;
  /** A sentence for each broken rule of credits, of every sandbox. */
  readonly broken: readonly string[];
}

/** What the mock says first. */
export interface SoakMock extends Pick<Mock, 'url' | 'port' | 'keys'> {
  readonly control: string;
}

/** Idempotency-Keys live so short that many are forgotten during a soak. */
const RETENTION_SECONDS = 5;

const { choices } = builtInWorld;
const world: World = {
  ...builtInWorld,
  clock: { kind: 'real' },
  choices: { ...choices, idempotency: { ...choices.idempotency, retentionSeconds: RETENTION_SECONDS } },
};

/** The mock of a soak, in a process that says how it is whenever its parent asks. */
async function serve(): Promise<void> {
  const mock = await startMock({ world, control: true, log: (line) => process.stderr.write(`${line}\n`) });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const { url, port, keys, control = '' } = mock;
  process.on('message', () => process.send?.(sample(mock, delay)));
  process.once('disconnect', () => void process.exit());
  process.send?.({ url, port, keys, control });
}

function sample({ sandboxes }: Mock, histogram: ReturnType<typeof monitorEventLoopDelay>): SoakSample {
  const delay = { p99: inMs(histogram.percentile(99)), max: inMs(histogram.max) };
  const all = [sandboxes.root, ...sandboxes.list()];
  for (const { service } of all) resolveOldest(service);
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const broken = all.flatMap(({ service }) => service.ledger.invariants());
  const handles = process.getActiveResourcesInfo().length;
  // The collection above is no delay of the mock's own.
  setImmediate(() => histogram.reset());
  return { rss: rss / 1e6, heap: heapUsed / 1e6, handles, delay, sandboxes: all.length - 1, broken };
}

/** What is under review stays until somebody looks into it: an operator leaves only the latest of it. */
const LEFT_UNDER_REVIEW = 200;

function resolveOldest({ ledger }: Mock['sandboxes']['root']['service']): void {
  const reviewed = ledger.entries().filter(({ state }) => state === 'under_review');
  for (const { requestId } of reviewed.slice(0, -LEFT_UNDER_REVIEW)) ledger.resolve(requestId, 'failed');
}

function inMs(nanoseconds: number): number {
  return nanoseconds / 1e6;
}

if (process.send !== undefined) await serve();
