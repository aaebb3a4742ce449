import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Rule } from '../faults/rule.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { RequestRecorder } from '../journal/request-recorder.ts';
import { VirtualClock } from '../time/clock.ts';
import { createService, type Service } from './service.ts';

/** The connections of the mock, each with the service that its request belongs to. */
export interface OwnedConnections {
  /** Cuts every connection on which a request of this owner runs. */
  cut(owner: unknown): void;
}

/** The state in which a sandbox starts, and to which a reset returns it. */
export interface InitialState extends Pick<Service, 'world' | 'seed' | 'latency' | 'log' | 'logAnswers'> {
  readonly faults: readonly Rule[];
  /** Whether requests are recorded in a journal. */
  readonly journaled: boolean;
  /** Whether requests are recorded whole, secrets included. */
  readonly witnessed: boolean;
  /** Called before a sandbox drops so many of the oldest requests that it recorded. */
  readonly dropping: ((sandbox: Sandbox, count: number) => void) | undefined;
  /** Milliseconds without a further completion after which all waiting ones go on; undefined: none waits. */
  readonly gatherMs: number | undefined;
  /** Undefined: the service is faithful. */
  readonly defect: DefectHooks | undefined;
}

interface SandboxState {
  readonly service: Service;
  readonly journal: MemoryJournal | undefined;
}

/** An isolated world inside a running mock. The mock's own world is a sandbox without an ID. */
export class Sandbox {
  readonly id: string | null;
  /** Undefined: requests are not recorded. A reset keeps it. */
  readonly recorder: RequestRecorder | undefined;
  readonly #beginning: InitialState;
  readonly #connections: OwnedConnections;
  #life: SandboxState;

  constructor(id: string | null, beginning: InitialState, connections: OwnedConnections) {
    this.id = id;
    this.#beginning = beginning;
    this.#connections = connections;
    this.recorder = beginning.witnessed
      ? new RequestRecorder((count) => beginning.dropping?.(this, count))
      : undefined;
    this.#life = createState(beginning, this.recorder);
  }

  /** Each reset replaces it. */
  get service(): Service {
    return this.#life.service;
  }

  /** Undefined if the mock has no control API. Each reset replaces it. */
  get journal(): MemoryJournal | undefined {
    return this.#life.journal;
  }

  /** Returns to the initial state, and cuts running requests. */
  reset(): void {
    const past = this.#life;
    this.#life = createState(this.#beginning, this.recorder);
    end(past, this.#connections);
  }

  wake(): void {
    this.#life.journal?.close();
  }

  flush(): void {
    this.#life.service.delays.flush();
    this.#life.service.batcher?.flush();
  }

  /** Cuts running requests, and ends every wait. */
  end(): void {
    end(this.#life, this.#connections);
  }
}

function createState(
  { journaled, faults, defect, ...options }: InitialState,
  recorder: RequestRecorder | undefined,
): SandboxState {
  const time = new VirtualClock(options.world.clock);
  const keys = options.world.keys.map(({ key }) => key);
  const journal = journaled ? new MemoryJournal(time.now, keys, undefined, recorder) : undefined;
  const service = createService({
    ...options,
    time,
    ...(journal && { journal }),
    ...(defect && { defect }),
  });
  service.faults.arm(faults);
  return { service, journal };
}

function end({ service, journal }: SandboxState, connections: OwnedConnections): void {
  connections.cut(service);
  service.delays.flush();
  service.batcher?.flush();
  journal?.close();
}
