import { addAbortListener } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { JournalRecord } from '../journal/journal.ts';
import type { RequestFeed } from '../journal/request-feed.ts';
import { type NamedKey, showEntry } from '../journal/shown-exchange.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { ControlError } from './guard.ts';
import { operation, type OperationCall } from './operation.ts';

/** Changes are sent together: what changes again meanwhile is sent once. */
const GATHER_MS = 40;
/** Less than any proxy waits. */
const HEARTBEAT_MS = 15_000;
/** Requests that are written in one piece. */
const AT_ONCE = 500;

/** One event of a stream. */
function event(name: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

interface Reader extends Pick<OperationCall, 'sandboxes' | 'lastEventId' | 'signal'> {
  readonly feed: RequestFeed;
}

/**
 * Every change of a request of any sandbox as an event of its whole entry, and which worlds there are, until the reader
 * disconnects. No event is stored: a reader that comes back with the ID of the last one it saw gets every entry that has
 * changed since. IDs of another mock, or none, give every remembered entry.
 */
async function* eventsFor({ sandboxes, feed, lastEventId, signal }: Reader): AsyncGenerator<string> {
  let seen = numberIn(feed, lastEventId);
  const notices = new Set<string>();
  let more = Promise.withResolvers<void>();
  const wake = (): void => more.resolve();
  const note = (text: string): void => {
    notices.add(text);
    wake();
  };
  const tellWorlds = (): void => note(event('worlds', describeWorlds(sandboxes, feed)));
  const tellControl = (sandbox: string | null): void => note(event('controlled', { sandbox }));
  feed.on('request', wake).on('worlds', tellWorlds).on('controlled', tellControl);
  const { silenceMs } = sandboxes.root.service.world.limits;
  const beat = setInterval(note, Math.min(HEARTBEAT_MS, silenceMs / 2), ':\n\n').unref();
  addAbortListener(signal, () => {
    feed.off('request', wake).off('worlds', tellWorlds).off('controlled', tellControl);
    clearInterval(beat);
    wake();
  });
  tellWorlds();
  yield 'retry: 1000\n\n';
  while (!signal.aborted) {
    more = Promise.withResolvers();
    const records = changedSince(sandboxes, seen).slice(0, AT_ONCE);
    if (notices.size + records.length > 0) {
      seen = records.at(-1)?.record.change ?? seen;
      const requests = records.map(({ record, keys }) =>
        event('request', showEntry(record, keys), `${feed.name}.${record.change}`),
      );
      const texts = [...notices, ...requests];
      notices.clear();
      yield texts.join('');
    } else {
      await more.promise;
      await setTimeout(GATHER_MS, undefined, { ref: false });
    }
  }
}

/** The number of the last change that a reader has seen. */
function numberIn(feed: RequestFeed, lastEventId = ''): number {
  const [name, number = ''] = lastEventId.split('.');
  return name === feed.name && /^\d{1,15}$/.test(number) ? Number(number) : 0;
}

interface Changed {
  readonly record: JournalRecord;
  /** Of its world. */
  readonly keys: readonly NamedKey[];
}

/** Requests of worlds that are gone, or were reset, are not told any more. */
function changedSince(sandboxes: Sandboxes, change: number): readonly Changed[] {
  return sandboxes
    .all()
    .flatMap(({ journal, service: { keys } }) => {
      const changed = journal?.records().filter((record) => record.change > change) ?? [];
      return changed.map((record) => ({ record, keys }));
    })
    .toSorted((one, other) => one.record.change - other.record.change);
}

/** Which worlds there are, and after which request each began: earlier ones of it are gone. */
function describeWorlds(sandboxes: Sandboxes, feed: RequestFeed): object {
  return {
    mock: feed.name,
    worlds: sandboxes.all().map(({ id, journal }) => ({ sandbox: id, since: journal?.since ?? 0 })),
  };
}

export const EVENT_OPERATIONS = [
  operation('GET', '/events', {
    name: 'followRequests',
    about: 'mock',
    summary:
      'Streams the journals of all sandboxes: an event `request` with the whole entry whenever one arrives or changes, `worlds` with the sandboxes there are, and `controlled` when something was changed over this API. With the header Last-Event-ID, or `after`, it begins with what changed since',
    query: z.strictObject({
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
