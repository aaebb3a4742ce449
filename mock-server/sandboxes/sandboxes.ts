import { hash } from 'node:crypto';
import { changeService, createService, type InitialState, type Service } from '../chat/service.ts';
import { type MemoryJournal, type RequestFeed, RequestRecorder } from '../journal/memory-journal.ts';
import type { CheckedWorld } from '../world/check-world.ts';
import type { Key, World } from '../world/world-schema.ts';

/** The connections of the mock, each with the service that its request belongs to. */
interface OwnedConnections {
  cut(owner: unknown): void;
}

/** An isolated world inside a running mock. The mock's own world is a sandbox without an ID. */
export class Sandbox {
  readonly id: string | null;
  /** Undefined: requests are not recorded. A reset keeps it. */
  readonly recorder: RequestRecorder | undefined;
  /** Each reset replaces it. */
  service: Service;
  readonly #beginning: InitialState;
  readonly #mock: Pick<Sandboxes, 'connections' | 'feed'>;

  constructor(id: string | null, beginning: InitialState, mock: Pick<Sandboxes, 'connections' | 'feed'>) {
    this.id = id;
    this.recorder = beginning.witnessed ? new RequestRecorder() : undefined;
    this.#beginning = beginning;
    this.#mock = mock;
    this.service = this.#begin();
  }

  /** Undefined if nothing is recorded. Each reset replaces it. */
  get journal(): MemoryJournal | undefined {
    return this.service.journal;
  }

  /** As it is now, without what a defect changes of it. */
  get world(): World {
    return this.service.checked.world;
  }

  /** Gives it another world while it runs. A reset undoes it. */
  change(checked: CheckedWorld): void {
    changeService(this.service, checked);
  }

  /** Returns to the initial state, and cuts running requests. */
  reset(): void {
    const past = this.service;
    this.service = this.#begin();
    this.end(past);
  }

  /** Cuts running requests, and ends every wait. */
  end(past = this.service): void {
    // Close the journal first, so that cutting connections is not recorded.
    past.journal?.end();
    this.#mock.connections.cut(past);
    past.delays.flush();
  }

  #begin(): Service {
    const { id: sandbox, recorder } = this;
    const { feed } = this.#mock;
    return createService(this.#beginning, feed && { sandbox, feed, recorder });
  }
}

const MOST = 10_000;

/** The settings of a new sandbox. The others are those of the mock's own world, but it starts with no other rules than those of its world. */
export interface SandboxRequest extends Partial<Omit<InitialState, 'witnessed' | 'defects'>> {
  /** Absent: the next free ID of s1, s2, … */
  readonly id?: string;
  /** Whether the sandbox uses the keys of `world`; otherwise it gets its own keys. */
  readonly hasOwnKeys?: boolean;
}

export class Sandboxes {
  readonly root: Sandbox;
  /** The one that answers at the mock's own base URL: `root`, until another takes its place. */
  front: Sandbox;
  /** The requests of all of them; undefined: none is recorded. */
  readonly feed: RequestFeed | undefined;
  readonly connections: OwnedConnections;
  readonly #beginning: InitialState;
  readonly #byId = new Map<string, Sandbox>();
  #made = 0;

  constructor(beginning: InitialState, connections: OwnedConnections, feed?: RequestFeed) {
    this.feed = feed;
    this.connections = connections;
    this.root = new Sandbox(null, beginning, this);
    this.front = this.root;
    this.#beginning = beginning;
  }

  /** Returns null if the ID is taken, or if there are 10,000 sandboxes. Equal IDs and seeds give equal keys. */
  create({ id = this.#freeId(), hasOwnKeys = false, ...changes }: SandboxRequest = {}): Sandbox | null {
    if (this.#byId.has(id) || this.#byId.size >= MOST) return null;
    const without = { faults: [], answers: [] };
    const beginning = { ...this.#beginning, ...this.root.service.checked, ...without, ...changes };
    const { world, seed } = beginning;
    const keys = hasOwnKeys ? world.keys : sandboxKeys(world.keys, seed, id);
    const begun = { ...beginning, world: { ...world, keys } };
    const sandbox = new Sandbox(id, begun, this);
    this.#byId.set(id, sandbox);
    this.worldsChanged();
    return sandbox;
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  /** In the order of their creation. */
  list(): readonly Sandbox[] {
    return [...this.#byId.values()];
  }

  /** Those, after the mock's own world. */
  all(): readonly Sandbox[] {
    return [this.root, ...this.#byId.values()];
  }

  /** Returns false if no sandbox has this ID. */
  delete(id: string): boolean {
    const sandbox = this.#byId.get(id);
    if (sandbox === this.front) this.front = this.root;
    this.#byId.delete(id);
    sandbox?.end();
    this.worldsChanged();
    return sandbox !== undefined;
  }

  /** Deletes every sandbox, and resets the mock's own world. */
  reset(): void {
    for (const sandbox of this.#byId.values()) sandbox.end();
    this.#byId.clear();
    this.front = this.root;
    this.#made = 0;
    this.root.reset();
    this.worldsChanged();
  }

  /** Whoever follows the worlds hears of it. */
  worldsChanged(): void {
    if (this.feed !== undefined) this.feed.worldChanges += 1;
  }

  /** Ends every question to a journal that waits for requests. */
  wake(): void {
    for (const { journal } of this.all()) journal?.close();
  }

  /** Ends every wait of a request. */
  flush(): void {
    for (const { service } of this.all()) service.delays.flush();
  }

  /** The sandbox of a URL, and the URL in it. One without the ID of an existing sandbox belongs to the one in front, unchanged. */
  find(url: string): { readonly sandbox: Sandbox; readonly url: string } {
    const [, id = '', rest = ''] = OF_SANDBOX.exec(url) ?? [];
    const sandbox = this.#byId.get(id);
    return sandbox === undefined ? { sandbox: this.front, url } : { sandbox, url: rest };
  }

  #freeId(): string {
    do this.#made += 1;
    while (this.#byId.has(`s${this.#made}`));
    return `s${this.#made}`;
  }
}

const OF_SANDBOX = /^\/sandboxes\/([^/]+)(\/.*)$/s;

/** The path before the `/v1` of the base URL of a sandbox; null: of the mock's own world. */
export function sandboxPrefix(id: string | null): string {
  return id === null ? '' : `/sandboxes/${id}`;
}

const KEY_LENGTH = 40;

/** The keys of a sandbox: the same names and rights, valid in this sandbox only. */
function sandboxKeys(keys: readonly Key[], seed: number, sandbox: string): readonly Key[] {
  return keys.map((key) => {
    // Nobody can tell it without the key of the world.
    const digest = hash('sha256', `${seed}\n${sandbox}\n${key.key}`, 'hex');
    return { ...key, key: `mock-${digest.slice(0, KEY_LENGTH)}` };
  });
}
