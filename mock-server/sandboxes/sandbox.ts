import type { AnswerRule } from '../answers/compile-answers.ts';
import type { FaultRule } from '../faults/compile-faults.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import type { RequestFeed } from '../journal/request-feed.ts';
import { RequestRecorder } from '../journal/request-recorder.ts';
import { VirtualClock } from '../time/clock.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';

/** The connections of the mock, each with the service that its request belongs to. */
export interface OwnedConnections {
  /** Cuts every connection on which a request of this owner runs. */
  cut(owner: unknown): void;
}

/** The state in which a sandbox starts, and to which a reset returns it. */
export interface InitialState extends ServiceOptions {
  readonly faults: readonly FaultRule[];
  /** Before those of its world. */
  readonly answers: readonly AnswerRule[];
  /** The rules that its world has, compiled. */
  readonly worldAnswers: readonly AnswerRule[];
  /** Whether requests are recorded in a journal. */
  readonly journaled: boolean;
  /** Whether requests are recorded whole, secrets included. */
  readonly witnessed: boolean;
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
  readonly #feed: RequestFeed | undefined;
  #life: SandboxState;

  /** Without a feed it keeps no journal. */
  constructor(id: string | null, beginning: InitialState, connections: OwnedConnections, feed?: RequestFeed) {
    this.id = id;
    this.#feed = feed;
    this.#beginning = beginning;
    this.#connections = connections;
    this.recorder = beginning.witnessed ? new RequestRecorder() : undefined;
    this.#life = this.#createState();
  }

  /** Each reset replaces it. */
  get service(): Service {
    return this.#life.service;
  }

  /** Undefined if nothing is recorded. Each reset replaces it. */
  get journal(): MemoryJournal | undefined {
    return this.#life.journal;
  }

  /** Returns to the initial state, and cuts running requests. */
  reset(): void {
    const past = this.#life;
    this.#life = this.#createState();
    end(past, this.#connections);
  }

  wake(): void {
    this.#life.journal?.close();
  }

  flush(): void {
    this.#life.service.delays.flush();
  }

  /** Cuts running requests, and ends every wait. */
  end(): void {
    end(this.#life, this.#connections);
  }

  #createState(): SandboxState {
    const { faults, answers, worldAnswers, ...options } = this.#beginning;
    const clock = new VirtualClock(options.world.clock);
    const journal = this.#feed && this.#createJournal(this.#feed, clock);
    const service = createService(options, clock, journal);
    service.faults.arm(faults);
    service.answers.arm(answers);
    service.answers.arm(worldAnswers.map((rule) => ({ ...rule, isOfWorld: true })));
    return { service, journal };
  }

  #createJournal(feed: RequestFeed, { now }: VirtualClock): MemoryJournal {
    const keys = this.#beginning.world.keys.map(({ key }) => key);
    return new MemoryJournal({ clock: now, keys, sandbox: this.id, feed, recorder: this.recorder });
  }
}

function end({ service, journal }: SandboxState, connections: OwnedConnections): void {
  // Nobody is to hear what becomes of its requests.
  journal?.end();
  connections.cut(service);
  service.delays.flush();
}
