import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { JournalRecord } from '../journal/journal.ts';
import type { RequestFeed } from '../journal/request-feed.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { closedObject } from '../world/closed-object.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';

/** Changes are sent together: what changes again meanwhile is sent once. */
const GATHER_MS = 40;
/** Less than any proxy waits. */
const HEARTBEAT_MS = 15_000;
/** Requests that are written in one piece. */
const AT_ONCE = 100;
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
 * Every change of a request of any sandbox as an event of its whole entry, and which worlds there are, until the reader
 * disconnects. No event is stored: a reader that comes back with the ID of the last one it saw gets every entry that has
 * changed since. IDs of another mock, or none, give every remembered entry.
 */
async function* eventsFor({ sandboxes, feed, lastEventId, signal }: Reader): AsyncGenerator<string> {
  const requests = new Set(changedSince(sandboxes, numberIn(feed, lastEventId)));
  const worlds = (): string => event('worlds', describeWorlds(sandboxes, feed));
  const notices = new Set([worlds()]);
  let more = Promise.withResolvers<void>();
  const note = (text: string): void => {
    notices.add(text);
    more.resolve();
  };
  const stop = feed.listen({
    request(record) {
      addLatest(requests, record);
      more.resolve();
    },
    worlds: () => note(worlds()),
    controlled: (sandbox) => note(event('controlled', { sandbox })),
  });
  const { silenceMs } = sandboxes.root.service.world.limits;
  const beat = setInterval(note, Math.min(HEARTBEAT_MS, silenceMs / 2), ':\n\n').unref();
  signal.addEventListener('abort', () => more.resolve());
  yield 'retry: 1000\n\n';
  while (!signal.aborted) {
    more = Promise.withResolvers();
    if (notices.size + requests.size > 0) {
      const texts = [...notices];
      notices.clear();
      yield [...texts, ...taken(requests, { sandboxes, feed })].join('');
    } else {
      await more.promise;
      await setTimeout(GATHER_MS, undefined, { ref: false });
    }
  }
  stop();
  clearInterval(beat);
}

/** The latest change last. */
function addLatest(requests: Set<JournalRecord>, record: JournalRecord): void {
  requests.delete(record);
  requests.add(record);
  const [oldest] = requests;
  if (oldest !== undefined && requests.size > MOST_PENDING) requests.delete(oldest);
}

/** Takes the next requests, as events. Those of worlds that are gone, or were reset, are not told any more. */
function taken(
  requests: Set<JournalRecord>,
  { sandboxes, feed }: Pick<Reader, 'sandboxes' | 'feed'>,
): readonly string[] {
  const next = [...requests].slice(0, AT_ONCE);
  for (const record of next) requests.delete(record);
  return next
    .filter(({ entry: { id, sandbox } }) => {
      const world = sandbox === null ? sandboxes.root : sandboxes.get(sandbox);
      return id > (world?.journal?.since ?? Infinity);
    })
    .map((record) => event('request', record.entry, `${feed.name}.${record.change}`));
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
      return eventsFor({ sandboxes, feed, lastEventId, signal });
    },
  }),
];
