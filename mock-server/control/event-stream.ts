import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { JournalWriter } from '../journal/journal-writer.ts';
import type { RequestFeed } from '../journal/request-feed.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { ControlError, OpenAnswer, operation } from './operation.ts';

/** Changes are sent together: what changes again meanwhile is sent once. */
const GATHER_MS = 40;
/** Less than any proxy waits. */
const HEARTBEAT_MS = 15_000;
/** Characters that are written in one piece. */
const AT_ONCE = 64 * 1024;
/** A reader that is so many requests behind loses the oldest. */
const MOST_PENDING = 20_000;

/** One event of a stream. */
function event(name: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Sends every change of a request of any sandbox as an event of its whole entry, and which worlds there are, until the
 * reader disconnects. No event is stored: a reader that comes back with the ID of the last one it saw gets every entry
 * that has changed since. IDs of another mock, or none, give every remembered entry.
 */
class EventStream {
  readonly #sandboxes: Sandboxes;
  readonly #feed: RequestFeed;
  readonly #response: ServerResponse;
  readonly #pending: Set<JournalWriter>;
  readonly #controlled = new Set<string | null>();
  #worldsChanged = true;
  #isFull = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(sandboxes: Sandboxes, feed: RequestFeed, response: ServerResponse, lastEventId = '') {
    this.#sandboxes = sandboxes;
    this.#feed = feed;
    this.#response = response;
    this.#pending = new Set(changedSince(sandboxes, numberIn(feed, lastEventId)));
  }

  start(): void {
    const response = this.#response;
    const { silenceMs } = this.#sandboxes.root.service.world.limits;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 1000\n\n');
    const stop = this.#feed.listen({
      request: (writer) => this.#add(writer),
      worlds: () => this.#gather((this.#worldsChanged = true)),
      controlled: (sandbox) => this.#gather(this.#controlled.add(sandbox)),
    });
    const beat = setInterval(() => response.write(':\n\n'), Math.min(HEARTBEAT_MS, silenceMs / 2)).unref();
    response.on('drain', () => {
      this.#isFull = false;
      this.#flush();
    });
    response.once('close', () => {
      stop();
      clearInterval(beat);
      clearTimeout(this.#gathering);
    });
    this.#flush();
  }

  #add(writer: JournalWriter): void {
    // The latest change last.
    this.#pending.delete(writer);
    this.#pending.add(writer);
    if (this.#pending.size > MOST_PENDING) this.#dropOldest();
    this.#gather();
  }

  #dropOldest(): void {
    const [oldest] = this.#pending;
    if (oldest !== undefined) this.#pending.delete(oldest);
  }

  #gather(_changed?: unknown): void {
    this.#gathering ??= setTimeout(() => this.#flush(), GATHER_MS).unref();
  }

  /** Stops where the socket is full, and goes on when it has drained. */
  #flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#isFull) return;
    if (this.#worldsChanged) this.#writeWorlds();
    for (const sandbox of this.#controlled) this.#write(event('controlled', { sandbox }));
    this.#controlled.clear();
    let text = '';
    for (const writer of this.#pending) {
      this.#pending.delete(writer);
      text += event('request', writer.entry, `${this.#feed.name}.${writer.change}`);
      if (text.length < AT_ONCE) continue;
      this.#write(text);
      if (this.#isFull) return;
      text = '';
    }
    if (text !== '') this.#write(text);
  }

  /** Requests of worlds that are gone, or were reset, are not told any more. */
  #writeWorlds(): void {
    this.#worldsChanged = false;
    for (const writer of this.#pending) if (this.#isGone(writer)) this.#pending.delete(writer);
    this.#write(event('worlds', describeWorlds(this.#sandboxes, this.#feed)));
  }

  #isGone({ entry: { id, sandbox } }: JournalWriter): boolean {
    const world = sandbox === null ? this.#sandboxes.root : this.#sandboxes.get(sandbox);
    return id <= (world?.journal?.since ?? Infinity);
  }

  #write(text: string): void {
    this.#isFull = !this.#response.write(text);
  }
}

/** The number of the last change that a reader has seen. */
function numberIn(feed: RequestFeed, lastEventId: string): number {
  const [name, number = ''] = lastEventId.split('.');
  return name === feed.name && /^\d{1,15}$/.test(number) ? Number(number) : 0;
}

function changedSince(sandboxes: Sandboxes, change: number): readonly JournalWriter[] {
  return [sandboxes.root, ...sandboxes.list()]
    .flatMap(({ journal }) => journal?.writers() ?? [])
    .filter((writer) => writer.change > change)
    .toSorted((one, other) => one.change - other.change);
}

/** Which worlds there are, and after which request each began: earlier ones of it are gone. */
function describeWorlds(sandboxes: Sandboxes, feed: RequestFeed): object {
  const worlds = [sandboxes.root, ...sandboxes.list()];
  return {
    mock: feed.name,
    worlds: worlds.map(({ id, journal }) => ({ sandbox: id, since: journal?.since ?? 0 })),
  };
}

const follow = operation({
  name: 'followRequests',
  method: 'GET',
  path: '/events',
  about: 'mock',
  summary:
    'Streams the journals of all sandboxes: an event `request` with the whole entry whenever one arrives or changes, `worlds` with the sandboxes there are, and `controlled` when something was changed over this API. With the header Last-Event-ID, or `after`, it begins with what changed since',
  query: closedObject({
    after: z.string().exactOptional().describe('ID of the last event that was seen'),
  }),
  body: emptyObject,
  status: 200,
  media: 'text/event-stream',
  answer: z.string(),
  run({ sandboxes, query: { after }, lastEventId }) {
    const { feed } = sandboxes;
    if (feed === undefined) throw new ControlError(404, 'no_journal', 'This mock keeps no journal');
    return new OpenAnswer((response) =>
      new EventStream(sandboxes, feed, response, lastEventId ?? after).start(),
    );
  },
});

export const EVENT_OPERATIONS = [follow];
