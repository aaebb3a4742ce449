import type { JournalEntry } from '../../../journal/journal.ts';
import type { WorldId, WorldsEvent } from './wire.ts';

/** More than the journal of any sandbox holds. */
const MOST = 50_000;
const DROPPED_AT_ONCE = 5000;

/** The requests of a mock as far as this page has seen them, in the order of their arrival. */
export class RequestList {
  worlds: readonly WorldId[] = [null];
  readonly #byId = new Map<number, JournalEntry>();
  #mock = '';
  #ordered: readonly JournalEntry[] | undefined = [];
  #newest = 0;

  put(entry: JournalEntry): void {
    this.#byId.set(entry.id, entry);
    this.#newest = Math.max(this.#newest, entry.id);
    this.#ordered = undefined;
    if (this.#byId.size > MOST) this.#dropOldest();
  }

  /** Drops the requests of worlds that are gone or were reset, and all of another mock. */
  setWorlds({ mock, worlds }: WorldsEvent): void {
    if (mock !== this.#mock) this.#byId.clear();
    this.#mock = mock;
    this.worlds = worlds.map(({ sandbox }) => sandbox);
    const since = new Map(worlds.map((world) => [world.sandbox, world.since]));
    for (const { id, sandbox } of this.#byId.values())
      if (id <= (since.get(sandbox) ?? Infinity)) this.#byId.delete(id);
    this.#ordered = undefined;
  }

  get(id: number): JournalEntry | undefined {
    return this.#byId.get(id);
  }

  /** The ID of the latest one. */
  get newest(): number {
    return this.#newest;
  }

  /** All, oldest first: the same array until something changes. */
  all(): readonly JournalEntry[] {
    this.#ordered ??= [...this.#byId.values()].toSorted((one, other) => one.id - other.id);
    return this.#ordered;
  }

  #dropOldest(): void {
    for (const { id } of this.all().slice(0, DROPPED_AT_ONCE)) this.#byId.delete(id);
    this.#ordered = undefined;
  }
}
