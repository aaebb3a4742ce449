import { VirtualClock } from '../time/clock.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Rule } from '../faults/rule.ts';
import { createService, type Service } from './service.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { RequestRecorder } from '../journal/request-recorder.ts';

/** The connections of the mock, each with the service that its request belongs to. */
export interface OwnedConnections {
  /** Cuts every connection on which a request of this owner runs. */
  cut(owner: unknown): void;
}

/** What a sandbox begins with, and goes back to when it is reset. */
export interface InitialState extends Pick<Service, 'world' | 'seed' | 'latency' | 'log' | 'logAnswers'> {
  readonly faults: readonly Rule[];
  /** Whether anyone can read a journal. */
  readonly journaled: boolean;
  /** Whether a witness sees each request whole. */
  readonly witnessed: boolean;
  /** Milliseconds of quiet after which all completions go on together; undefined: each goes on by itself. */
  readonly gatherMs: number | undefined;
  /** Undefined: it has no defect. */
  readonly defect: DefectHooks | undefined;
}

interface SandboxState {
  readonly service: Service;
  readonly journal: MemoryJournal | undefined;
}

/** One isolated world inside a running mock. The world of the mock itself is one too: it has no name. */
export class Sandbox {
  readonly id: string | null;
  /** Undefined where nobody asked for one. It outlives a reset. */
  readonly recorder: RequestRecorder | undefined;
  readonly #beginning: InitialState;
  readonly #connections: OwnedConnections;
  #life: SandboxState;

  constructor(id: string | null, beginning: InitialState, connections: OwnedConnections) {
    this.id = id;
    this.#beginning = beginning;
    this.#connections = connections;
    this.recorder = beginning.witnessed ? new RequestRecorder() : undefined;
    this.#life = createState(beginning, this.recorder);
  }

  /** Another one after each reset. */
  get service(): Service {
    return this.#life.service;
  }

  /** Undefined where the mock has no control API. Another one after each reset. */
  get journal(): MemoryJournal | undefined {
    return this.#life.journal;
  }

  /** As it was at its beginning. What was under way is cut. */
  reset(): void {
    const past = this.#life;
    this.#life = createState(this.#beginning, this.recorder);
    end(past, this.#connections);
  }

  /** Ends every wait for a request. */
  wake(): void {
    this.#life.journal?.close();
  }

  /** Ends every wait for a model. */
  flush(): void {
    this.#life.service.delays.flush();
    this.#life.service.batcher?.flush();
  }

  /** Cuts what is under way, and ends every wait. */
  end(): void {
    end(this.#life, this.#connections);
  }
}

function createState(
  { journaled, faults, defect, ...options }: InitialState,
  witness: RequestRecorder | undefined,
): SandboxState {
  const time = new VirtualClock(options.world.clock);
  const keys = options.world.keys.map(({ key }) => key);
  const journal = journaled ? new MemoryJournal(time.now, keys, undefined, witness) : undefined;
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
