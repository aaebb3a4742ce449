import { changeService, createService, type InitialState, type Service } from '../chat/service.ts';
import type { MemoryJournal } from '../journal/memory-journal.ts';
import type { RequestFeed } from '../journal/request-feed.ts';
import { RequestRecorder } from '../journal/request-recorder.ts';
import type { CheckedWorld } from '../world/check-world.ts';
import type { World } from '../world/world-schema.ts';

/** The connections of the mock, each with the service that its request belongs to. */
export interface OwnedConnections {
  /** Cuts every connection on which a request of this owner runs. */
  cut(owner: unknown): void;
}

/** An isolated world inside a running mock. The mock's own world is a sandbox without an ID. */
export class Sandbox {
  readonly id: string | null;
  /** Undefined: requests are not recorded. A reset keeps it. */
  readonly recorder: RequestRecorder | undefined;
  readonly #connections: OwnedConnections;
  readonly #feed: RequestFeed | undefined;
  #beginning: InitialState;
  #service: Service;

  /** Without a feed it keeps no journal. */
  constructor(id: string | null, beginning: InitialState, connections: OwnedConnections, feed?: RequestFeed) {
    this.id = id;
    this.recorder = beginning.witnessed ? new RequestRecorder() : undefined;
    this.#connections = connections;
    this.#feed = feed;
    this.#beginning = beginning;
    this.#service = this.#begin();
  }

  /** Each reset replaces it. */
  get service(): Service {
    return this.#service;
  }

  /** Undefined if nothing is recorded. Each reset replaces it. */
  get journal(): MemoryJournal | undefined {
    return this.#service.journal;
  }

  /** As it is now, without what a defect changes of it. */
  get world(): World {
    return this.#service.checked.world;
  }

  /** Gives it another world while it runs. A reset undoes it. */
  change(checked: CheckedWorld): void {
    changeService(this.#service, checked);
  }

  /** The same for good: a reset returns to it. What was debited meanwhile stays debited. */
  replace({ world, worldAnswers }: CheckedWorld): void {
    this.#beginning = { ...this.#beginning, world, worldAnswers };
    this.change({ world, worldAnswers });
  }

  /** Returns to the initial state, and cuts running requests. */
  reset(): void {
    const past = this.#service;
    this.#service = this.#begin();
    this.#end(past);
  }

  /** Cuts running requests, and ends every wait. */
  end(): void {
    this.#end(this.#service);
  }

  #begin(): Service {
    const { id: sandbox, recorder } = this;
    return createService(this.#beginning, this.#feed && { sandbox, feed: this.#feed, recorder });
  }

  #end(past: Service): void {
    // Nobody is to hear what becomes of its requests.
    past.journal?.end();
    this.#connections.cut(past);
    past.delays.flush();
  }
}
