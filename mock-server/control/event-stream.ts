import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { JournalRecord } from '../journal/journal.ts';
import type { FeedListener, RequestFeed } from '../journal/request-feed.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { closedObject } from '../world/closed-object.ts';
import { ControlError, OpenAnswer } from './control-answer.ts';
import { operation } from './operation.ts';

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

interface Reader {
  readonly sandboxes: Sandboxes;
  readonly feed: RequestFeed;
  readonly lastEventId: string | undefined;
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Sends every change of a request of any sandbox as an event of its whole entry, and which worlds there are, until the
 * reader disconnects. No event is stored: a reader that comes back with the ID of the last one it saw gets every entry
 * that has changed since. IDs of another mock, or none, give every remembered entry.
 */
async function writeEvents(response: ServerResponse, reader: Reader): Promise<void> {
  const { sandboxes, feed, signal } = reader;
  const { silenceMs } = sandboxes.root.service.world.limits;
  let changed = Promise.withResolvers<void>();
  const changes = createChanges(reader, () => changed.resolve());
  const beat = setInterval(() => response.write(':\n\n'), Math.min(HEARTBEAT_MS, silenceMs / 2)).unref();
  const stop = feed.listen(changes);
  signal.addEventListener('abort', () => changed.resolve());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 1000\n\n');
  while (!signal.aborted) {
    changed = Promise.withResolvers();
    const text = changes.next();
    if (text === '') {
      await changed.promise;
      await setTimeout(GATHER_MS, undefined, { ref: false });
    } else if (!response.write(text)) await once(response, 'drain', { signal }).catch(() => {});
  }
  stop();
  clearInterval(beat);
}

interface Changes extends FeedListener {
  /** The next events to send; empty: none. */
  readonly next: () => string;
}

/** What a reader is still to hear of; `tell` is called whenever there is more. */
function createChanges({ sandboxes, feed, lastEventId }: Reader, tell: () => void): Changes {
  const requests = new Set(changedSince(sandboxes, numberIn(feed, lastEventId)));
  const controlled = new Set<string | null>();
  let isWorldsNext = true;
  return {
    request(record) {
      // The latest change last.
      requests.delete(record);
      requests.add(record);
      const [oldest] = requests;
      if (oldest !== undefined && requests.size > MOST_PENDING) requests.delete(oldest);
      tell();
    },
    worlds() {
      isWorldsNext = true;
      tell();
    },
    controlled(sandbox) {
      controlled.add(sandbox);
      tell();
    },
    next() {
      if (isWorldsNext) {
        isWorldsNext = false;
        for (const record of requests) if (isGone(sandboxes, record)) requests.delete(record);
        return event('worlds', describeWorlds(sandboxes, feed));
      }
      let text = [...controlled].map((sandbox) => event('controlled', { sandbox })).join('');
      controlled.clear();
      for (const record of requests) {
        if (text.length >= AT_ONCE) break;
        requests.delete(record);
        text += event('request', record.entry, `${feed.name}.${record.change}`);
      }
      return text;
    },
  };
}

/** Requests of worlds that are gone, or were reset, are not told any more. */
function isGone(sandboxes: Sandboxes, { entry: { id, sandbox } }: JournalRecord): boolean {
  const world = sandbox === null ? sandboxes.root : sandboxes.get(sandbox);
  return id <= (world?.journal?.since ?? Infinity);
}

/** The number of the last change that a reader has seen. */
function numberIn(feed: RequestFeed, lastEventId = ''): number {
  const [name, number = ''] = lastEventId.split('.');
  return name === feed.name && /^\d{1,15}$/.test(number) ? Number(number) : 0;
}

function changedSince(sandboxes: Sandboxes, change: number): readonly JournalRecord[] {
  return [sandboxes.root, ...sandboxes.list()]
    .flatMap(({ journal }) => journal?.records() ?? [])
    .filter((record) => record.change > change)
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

export const EVENT_OPERATIONS = [
  operation('GET', '/events', {
    name: 'followRequests',
    about: 'mock',
    summary:
      'Streams the journals of all sandboxes: an event `request` with the whole entry whenever one arrives or changes, `worlds` with the sandboxes there are, and `controlled` when something was changed over this API. With the header Last-Event-ID, or `after`, it begins with what changed since',
    query: closedObject({
      after: z.string().exactOptional().describe('ID of the last event that was seen'),
    }),
    media: 'text/event-stream',
    answer: z.string(),
    run({ sandboxes, query: { after }, lastEventId = after, signal }) {
      const { feed } = sandboxes;
      if (feed === undefined) throw new ControlError(404, 'no_journal', 'This mock keeps no journal');
      return new OpenAnswer((response) => writeEvents(response, { sandboxes, feed, lastEventId, signal }));
    },
  }),
];
