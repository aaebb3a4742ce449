import { VirtualClock } from '../clock.ts';
import type { Connections } from '../connections.ts';
import type { Breach } from '../defects/breach.ts';
import type { Rule } from '../faults/rule.ts';
import { createService, type Service } from '../service.ts';
import { MemoryJournal } from './memory-journal.ts';

/** What a sandbox begins with, and goes back to when it is reset. */
export interface Beginning extends Pick<Service, 'world' | 'seed' | 'latency' | 'log' | 'logAnswers'> {
  readonly faults: readonly Rule[];
  /** Whether anyone can read a journal. */
  readonly journaled: boolean;
  /** Makes the defect of one life, which may remember what it met; undefined: it has none. */
  readonly breach: (() => Breach) | undefined;
}

interface Life {
  readonly service: Service;
  readonly journal: MemoryJournal | undefined;
}

/** One isolated world inside a running mock. The world of the mock itself is one too: it has no name. */
export class Sandbox {
  readonly id: string | null;
  readonly #beginning: Beginning;
  readonly #connections: Connections;
  #life: Life;

  constructor(id: string | null, beginning: Beginning, connections: Connections) {
    this.id = id;
    this.#beginning = beginning;
    this.#connections = connections;
    this.#life = live(beginning);
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
    this.#life = live(this.#beginning);
    end(past, this.#connections);
  }

  /** Ends every wait for a request. */
  wake(): void {
    this.#life.journal?.close();
  }

  /** Ends every wait for a model. */
  flush(): void {
    this.#life.service.delays.flush();
  }

  /** Cuts what is under way, and ends every wait. */
  end(): void {
    end(this.#life, this.#connections);
  }
}

function live({ journaled, faults, breach, ...options }: Beginning): Life {
  const time = new VirtualClock(options.world.clock);
  const keys = options.world.keys.map(({ key }) => key);
  const journal = journaled ? new MemoryJournal(time.now, keys) : undefined;
  const service = createService({
    ...options,
    time,
    ...(journal && { journal }),
    ...(breach && { breach: breach() }),
  });
  service.faults.arm(faults);
  return { service, journal };
}

function end({ service, journal }: Life, connections: Connections): void {
  connections.cut(service);
  service.delays.flush();
  journal?.close();
}
