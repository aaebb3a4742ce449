import { addAbortListener } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { showEntry } from '../journal/shown-exchange.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { operation } from './operation.ts';

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

/**
 * Every change of a request of any sandbox as an event of its whole entry, and which worlds there are, until the reader
 * disconnects. No event is stored: a reader that comes back with the ID of the last one it saw gets every entry that has
 * changed since. IDs of another mock, or none, give every remembered entry.
 */
async function* eventsOf(sandboxes: Sandboxes, lastEventId: string, signal: AbortSignal) {
  const { feed, root } = sandboxes;
  if (feed === undefined) return;
  const [mock, last = ''] = lastEventId.split('.');
  let seen = mock === feed.name && /^\d{1,15}$/.test(last) ? Number(last) : 0;
  const notices = new Set(['retry: 1000\n\n']);
  let more = Promise.withResolvers<void>();
  const wake = (): void => more.resolve();
  const note = (text: string): void => {
    notices.add(text);
    wake();
  };
  const tellWorlds = (): void => note(event('worlds', describeWorlds(sandboxes, feed.name)));
  const tellControl = (sandbox: string | null): void => note(event('controlled', { sandbox }));
  feed.on('request', wake).on('worlds', tellWorlds).on('controlled', tellControl);
  const silence = Math.min(HEARTBEAT_MS, root.service.world.limits.silenceMs / 2);
  const beat = setInterval(note, silence, ':\n\n').unref();
  addAbortListener(signal, () => {
    feed.off('request', wake).off('worlds', tellWorlds).off('controlled', tellControl);
    clearInterval(beat);
    wake();
  });
  tellWorlds();
  while (!signal.aborted) {
    more = Promise.withResolvers();
    const changed = changedSince(sandboxes, seen).slice(0, AT_ONCE);
    if (notices.size + changed.length > 0) {
      seen = changed.at(-1)?.change ?? seen;
      const requests = changed.map(({ change, shown }) =>
        event('request', shown(), `${feed.name}.${change}`),
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

/** Requests of worlds that are gone, or were reset, are not told any more. */
function changedSince(sandboxes: Sandboxes, seen: number) {
  return sandboxes
    .all()
    .flatMap(({ journal, service: { keys } }) => {
      const changed = journal?.records().filter(({ change }) => change > seen) ?? [];
      return changed.map((record) => ({ change: record.change, shown: () => showEntry(record, keys) }));
    })
    .toSorted((one, other) => one.change - other.change);
}

/** Which worlds there are, and after which request each began: earlier ones of it are gone. */
function describeWorlds(sandboxes: Sandboxes, mock: string): object {
  const worlds = sandboxes.all().map(({ id, journal }) => ({ sandbox: id, since: journal?.since ?? 0 }));
  return { mock, worlds };
}

export const EVENT_OPERATION = operation('GET', '/events', {
  name: 'followRequests',
  about: 'mock',
  summary:
    'Streams the journals of all sandboxes: an event `request` with the whole entry whenever one arrives or changes, `worlds` with the sandboxes there are, and `controlled` when something was changed over this API. With the header Last-Event-ID, or `after`, it begins with what changed since',
  query: z.strictObject({
    after: z.string().exactOptional().describe('ID of the last event that was seen'),
  }),
  media: 'text/event-stream',
  answer: z.string(),
  run: ({ sandboxes, query: { after = '' }, lastEventId = after, signal }) =>
    eventsOf(sandboxes, lastEventId, signal),
});
