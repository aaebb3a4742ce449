import { VirtualClock } from '../time/clock.ts';
import type { Connections } from '../http/connections.ts';
import type { DefectHooks } from '../http/defect-hooks.ts';
import type { Rule } from '../faults/rule.ts';
import { createService, type Service } from '../service.ts';
import { MemoryJournal } from './memory-journal.ts';
import { Witness } from './witness.ts';

/** What a sandbox begins with, and goes back to when it is reset. */
export interface Beginning extends Pick<Service, 'world' | 'seed' | 'latency' | 'log' | 'logAnswers'> {
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

interface Life {
  readonly service: Service;
  readonly journal: MemoryJournal | undefined;
}

/** One isolated world inside a running mock. The world of the mock itself is one too: it has no name. */
export class Sandbox {
  readonly id: string | null;
  /** Undefined where nobody asked for one. It outlives a reset. */
  readonly witness: Witness | undefined;
  readonly #beginning: Beginning;
  readonly #connections: Connections;
  #life: Life;

  constructor(id: string | null, beginning: Beginning, connections: Connections) {
    this.id = id;
    this.#beginning = beginning;
    this.#connections = connections;
    this.witness = beginning.witnessed ? new Witness() : undefined;
    this.#life = live(beginning, this.witness);
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
    this.#life = live(this.#beginning, this.witness);
    end(past, this.#connections);
  }

  /** Ends every wait for a request. */
  wake(): void {
    this.#life.journal?.close();
  }

  /** Ends every wait for a model. */
  flush(): void {
    this.#life.service.delays.flush();
    this.#life.service.gathering?.flush();
  }

  /** Cuts what is under way, and ends every wait. */
  end(): void {
    end(this.#life, this.#connections);
  }
}

function live({ journaled, faults, defect, ...options }: Beginning, witness: Witness | undefined): Life {
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

function end({ service, journal }: Life, connections: Connections): void {
  connections.cut(service);
  service.delays.flush();
  service.gathering?.flush();
  journal?.close();
}
