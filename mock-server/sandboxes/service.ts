import { type Caller, createCallers } from '../world/caller.ts';
import { type Clock, createDateHeader, VirtualClock } from '../time/clock.ts';
import { createWriteCompletion, type WriteCompletion } from '../chat/completion.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { Delays, QuietPeriodBatcher } from '../time/delays.ts';
import { createWriteEventStream, type WriteEventStream } from '../chat/event-stream.ts';
import { FaultPlan } from '../faults/fault-plan.ts';
import { IdempotencyStore } from '../chat/idempotency-store.ts';
import type { Ledger } from '../workspace/ledger.ts';
import { MemoryLedger } from '../workspace/memory-ledger.ts';
import { Occurrences } from '../exchange/identity.ts';
import type { Journal } from '../journal/journal.ts';
import type { World } from '../world/world.ts';

/** One world, alive: all that changes, and nothing that another mock could share. */
export interface Service {
  readonly world: World;
  readonly seed: number;
  /** Where `clock` comes from: what the control API moves. */
  readonly time: VirtualClock;
  readonly clock: Clock;
  readonly dateHeader: () => string;
  readonly callers: readonly Caller[];
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly occurrences: Occurrences;
  readonly delays: Delays;
  /** Where completions wait for each other while their models are at work; undefined: they do not. */
  readonly batcher: QuietPeriodBatcher | undefined;
  /** Milliseconds beside what the model itself takes. */
  readonly latency: Latency;
  readonly writeCompletion: WriteCompletion;
  readonly writeEventStream: WriteEventStream;
  readonly log: (line: string) => void;
  readonly logAnswers: boolean;
  readonly faults: FaultPlan;
  /** Undefined: nobody reads one, and nothing is written. */
  readonly journal: Journal | undefined;
  /** Undefined: it has no defect. */
  readonly defect: DefectHooks | undefined;
}

interface Latency {
  readonly perCompletion: number;
  readonly perToken: number;
}

type ServiceOptions = Pick<Service, 'world' | 'seed' | 'latency' | 'log' | 'logAnswers'> & {
  readonly time?: VirtualClock;
  readonly journal?: Journal;
  /** Milliseconds of quiet after which all completions go on together; absent: each goes on by itself. */
  readonly gatherMs?: number | undefined;
  readonly defect?: DefectHooks;
};

export function createService(options: ServiceOptions): Service {
  const { defect } = options;
  const world = defect?.changeWorld?.(options.world) ?? options.world;
  const { time = new VirtualClock(world.clock), journal, gatherMs } = options;
  const clock = time.now;
  const ledger = new MemoryLedger(world.workspaces, world.limits.history, clock);
  return {
    ...options,
    world,
    defect,
    time,
    clock,
    journal,
    dateHeader: createDateHeader(clock),
    callers: createCallers(world),
    ledger: defect?.wrapLedger?.(ledger) ?? ledger,
    idempotency: new IdempotencyStore(world.choices.idempotency, clock),
    occurrences: new Occurrences(),
    faults: new FaultPlan(options.seed, clock),
    delays: new Delays(),
    batcher: gatherMs === undefined ? undefined : new QuietPeriodBatcher(gatherMs),
    writeCompletion: createWriteCompletion(world.choices.response),
    writeEventStream: createWriteEventStream(world.choices),
  };
}
