import { type Caller, createCallers } from './caller.ts';
import { type Clock, createClock, createDateHeader } from './clock.ts';
import { createWriteCompletion, type WriteCompletion } from './completion.ts';
import { Delays } from './delays.ts';
import { createWriteEventStream, type WriteEventStream } from './event-stream.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import type { Ledger } from './ledger.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { Occurrences } from './occurrences.ts';
import type { Strike } from './phase.ts';
import type { World } from './world.ts';

/** One world, alive: all that changes, and nothing that another mock could share. */
export interface Service {
  readonly world: World;
  readonly seed: number;
  readonly clock: Clock;
  readonly dateHeader: () => string;
  readonly callers: readonly Caller[];
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly occurrences: Occurrences;
  readonly delays: Delays;
  /** Milliseconds beside what the model itself takes. */
  readonly latency: Latency;
  readonly writeCompletion: WriteCompletion;
  readonly writeEventStream: WriteEventStream;
  readonly log: (line: string) => void;
  readonly logAnswers: boolean;
  readonly strike: Strike | undefined;
}

interface Latency {
  readonly perCompletion: number;
  readonly perToken: number;
}

type ServiceOptions = Pick<Service, 'world' | 'seed' | 'latency' | 'log' | 'logAnswers' | 'strike'>;

export function createService(options: ServiceOptions): Service {
  const { world } = options;
  const clock = createClock(world.clock);
  return {
    ...options,
    clock,
    dateHeader: createDateHeader(clock),
    callers: createCallers(world),
    ledger: new MemoryLedger(world.workspaces, world.limits.history),
    idempotency: new IdempotencyStore(world.choices.idempotency, clock),
    occurrences: new Occurrences(),
    delays: new Delays(),
    writeCompletion: createWriteCompletion(world.choices.response),
    writeEventStream: createWriteEventStream(world.choices),
  };
}
