import { isDeepStrictEqual } from 'node:util';
import type { AnswerRule } from '../answers/compile-answers.ts';
import type { FaultRule } from '../faults/compile-faults.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import type { RequestFeed } from '../journal/request-feed.ts';
import { RequestRecorder } from '../journal/request-recorder.ts';
import { VirtualClock } from '../time/clock.ts';
import type { CheckedWorld } from '../world/check-world.ts';
import type { Key } from '../world/world.ts';
import { changeService, createService, type Service, type ServiceOptions } from './service.ts';

/** The connections of the mock, each with the service that its request belongs to. */
export interface OwnedConnections {
  /** Cuts every connection on which a request of this owner runs. */
  cut(owner: unknown): void;
}

/** The state in which a sandbox starts, and to which a reset returns it. */
export interface InitialState extends ServiceOptions, CheckedWorld {
  readonly faults: readonly FaultRule[];
  /** Before those of its world. */
  readonly answers: readonly AnswerRule[];
  /** Whether requests are recorded in a journal. */
  readonly journaled: boolean;
  /** Whether requests are recorded whole, secrets included. */
  readonly witnessed: boolean;
}

interface SandboxState {
  readonly checked: CheckedWorld;
  readonly service: Service;
  readonly journal: MemoryJournal | undefined;
  /** Of its world, and those that a change took away: the journal shows none of them. */
  readonly keys: Key[];
  /** The same as texts. */
  readonly secrets: string[];
}

/** An isolated world inside a running mock. The mock's own world is a sandbox without an ID. */
export class Sandbox {
  readonly id: string | null;
  /** Undefined: requests are not recorded. A reset keeps it. */
  readonly recorder: RequestRecorder | undefined;
  readonly #connections: OwnedConnections;
  readonly #feed: RequestFeed | undefined;
  #beginning: InitialState;
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

  /** Its world as it is now, without what a defect changes of it. */
  get checked(): CheckedWorld {
    return this.#life.checked;
  }

  /** The keys that it has now, and those that it had. */
  get keys(): readonly Key[] {
    return this.#life.keys;
  }

  /**
   * Gives it another world while it runs. A workspace gets a new balance if its credits are others than before, or if it
   * is credited. A reset undoes it.
   */
  change({ world, worldAnswers, credited = [] }: CheckedWorld): void {
    const { checked: before, service, keys, secrets } = this.#life;
    this.#life = { ...this.#life, checked: { world, worldAnswers } };
    const others = world.keys.filter(({ key }) => !secrets.includes(key));
    keys.push(...others);
    secrets.push(...others.map(({ key }) => key));
    changeService(service, world);
    for (const { id, credits } of world.workspaces) {
      const isOther = before.world.workspaces.every((known) => known.id !== id || known.credits !== credits);
      if (isOther || credited.includes(id)) service.ledger.setBalance(id, credits);
    }
    if (isDeepStrictEqual(world.answers, before.world.answers)) return;
    for (const { id, rule } of service.answers.rules())
      if (rule.isOfWorld === true) service.answers.disarm(id);
    armWorldAnswers(service, worldAnswers);
  }

  /** The same for good: a reset returns to it. What was debited meanwhile stays debited. */
  replace({ world, worldAnswers }: CheckedWorld): void {
    this.#beginning = { ...this.#beginning, world, worldAnswers };
    this.change({ world, worldAnswers });
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
    const { faults, answers, world, worldAnswers, ...options } = this.#beginning;
    const clock = new VirtualClock(world.clock);
    const secrets = world.keys.map(({ key }) => key);
    const journal =
      this.#feed &&
      new MemoryJournal({
        clock: clock.now,
        keys: secrets,
        sandbox: this.id,
        feed: this.#feed,
        recorder: this.recorder,
      });
    const service = createService({ ...options, world }, clock, journal);
    service.faults.arm(faults);
    service.answers.arm(answers);
    armWorldAnswers(service, worldAnswers);
    return { checked: { world, worldAnswers }, service, journal, keys: [...world.keys], secrets };
  }
}

function armWorldAnswers({ answers }: Service, rules: CheckedWorld['worldAnswers']): void {
  answers.arm(rules.map((rule) => ({ ...rule, isOfWorld: true })));
}

function end({ service, journal }: SandboxState, connections: OwnedConnections): void {
  // Nobody is to hear what becomes of its requests.
  journal?.end();
  connections.cut(service);
  service.delays.flush();
}
