import { hash } from 'node:crypto';
import { type InitialState, type OwnedConnections, Sandbox } from './sandbox.ts';
import type { Key } from '../world/world.ts';

const MOST = 10_000;

/** What is asked of a new sandbox; the rest is as in the mock's own world, but for its faults: it has none. */
export interface SandboxRequest extends Partial<
  Omit<InitialState, 'journaled' | 'witnessed' | 'gatherMs' | 'defect'>
> {
  /** Absent: the next free one of s1, s2, … */
  readonly id?: string;
  /** Whether the keys of `world` are to be served as they are; otherwise the sandbox gets keys of its own. */
  readonly hasOwnKeys?: boolean;
}

/** Where a request belongs, and its URL as seen from there. */
export interface Destination {
  readonly sandbox: Sandbox;
  readonly url: string;
}

/** The worlds of one running mock: its own, and the sandboxes made in it. */
export class Sandboxes {
  readonly root: Sandbox;
  readonly #beginning: InitialState;
  readonly #connections: OwnedConnections;
  readonly #byId = new Map<string, Sandbox>();
  #made = 0;

  constructor(beginning: InitialState, connections: OwnedConnections) {
    this.root = new Sandbox(null, beginning, connections);
    this.#beginning = beginning;
    this.#connections = connections;
  }

  /** Null: the ID is taken, or there are 10,000 already. Equal IDs and seeds have equal keys. */
  create({ id = this.#freeId(), hasOwnKeys = false, ...changes }: SandboxRequest = {}): Sandbox | null {
    if (this.#byId.has(id) || this.#byId.size >= MOST) return null;
    const beginning = { ...this.#beginning, faults: [], ...changes };
    const { world, seed } = beginning;
    const keys = hasOwnKeys ? world.keys : sandboxKeys(world.keys, seed, id);
    const sandbox = new Sandbox(id, { ...beginning, world: { ...world, keys } }, this.#connections);
    this.#byId.set(id, sandbox);
    return sandbox;
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  /** In the order in which they were made. */
  list(): readonly Sandbox[] {
    return [...this.#byId.values()];
  }

  /** False: there is none of that ID. */
  delete(id: string): boolean {
    const sandbox = this.#byId.get(id);
    this.#byId.delete(id);
    sandbox?.end();
    return sandbox !== undefined;
  }

  /** Deletes every sandbox, and puts the mock's own world back to its beginning. */
  reset(): void {
    for (const sandbox of this.#byId.values()) sandbox.end();
    this.#byId.clear();
    this.#made = 0;
    this.root.reset();
  }

  /** Ends every wait for a request. */
  wake(): void {
    for (const sandbox of [this.root, ...this.#byId.values()]) sandbox.wake();
  }

  /** Ends every wait for a model. */
  flush(): void {
    for (const sandbox of [this.root, ...this.#byId.values()]) sandbox.flush();
  }

  /** A URL of no sandbox, or of none that is there, belongs to the mock's own world as it is. */
  find(url: string): Destination {
    const named = splitSandboxUrl(url);
    const sandbox = named === null ? undefined : this.#byId.get(named.id);
    if (named === null || sandbox === undefined) return { sandbox: this.root, url };
    return { sandbox, url: named.rest };
  }

  #freeId(): string {
    do this.#made += 1;
    while (this.#byId.has(`s${this.#made}`));
    return `s${this.#made}`;
  }
}

const ROOT = '/sandboxes/';

/** What stands before the `/v1` of a sandbox's base URL. */
export function sandboxPrefix(id: string): string {
  return `${ROOT}${id}`;
}

/** The sandbox that a URL names, and the rest of it from its slash on. Null for one that names none. */
export function splitSandboxUrl(url: string): { readonly id: string; readonly rest: string } | null {
  if (!url.startsWith(ROOT)) return null;
  const end = url.indexOf('/', ROOT.length);
  return end === -1 ? null : { id: url.slice(ROOT.length, end), rest: url.slice(end) };
}

const KEY_LENGTH = 40;

/** The keys of a sandbox: of the same names and rights, and opening nothing but this sandbox. */
function sandboxKeys(keys: readonly Key[], seed: number, sandbox: string): readonly Key[] {
  return keys.map((key) => {
    const digest = hash('sha256', `${seed}\n${sandbox}\n${key.name}`, 'hex');
    return { ...key, key: `mock-${digest.slice(0, KEY_LENGTH)}` };
  });
}
