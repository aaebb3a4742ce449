import { z } from 'zod';
import { showEntry } from '../journal/shown-exchange.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { everyMs } from '../time/timers.ts';
import { operation } from './operation.ts';

/** Changes are sent together: what changes again meanwhile is sent once. */
const GATHER_MS = 40;
/** Less than any proxy waits. */
const HEARTBEAT_MS = 15_000;
/** Requests that are written in one piece. */
const AT_ONCE = 2000;

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
  // The numbers of changes at the latest look: nobody looks through all requests where nothing has changed.
  let [looked, worlds, quiet] = [-1, -1, 0];
  const silence = Math.min(HEARTBEAT_MS, root.service.world.limits.silenceMs / 2);
  yield 'retry: 1000\n\n';
  for await (const _ of everyMs(GATHER_MS, undefined, { signal, ref: false })) {
    const due = looked === feed.changes ? [] : changedSince(sandboxes, seen);
    const changed = due.slice(0, AT_ONCE);
    if (changed.length === due.length) looked = feed.changes;
    const events = changed.map(({ change, shown }) => event('request', shown(), `${feed.name}.${change}`));
    if (worlds !== feed.worldChanges) events.unshift(event('worlds', describeWorlds(sandboxes, feed.name)));
    worlds = feed.worldChanges;
    seen = changed.at(-1)?.change ?? seen;
    if (quiet > silence) events.push(':\n\n');
    quiet = events.length === 0 ? quiet + GATHER_MS : 0;
    if (events.length > 0) yield events.join('');
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

export type WorldsEvent = ReturnType<typeof describeWorlds>;

/** Which worlds there are, and after which request each began: earlier ones of it are gone. */
function describeWorlds(sandboxes: Sandboxes, mock: string) {
  const worlds = sandboxes.all().map(({ id, journal }) => ({ sandbox: id, since: journal?.since ?? 0 }));
  return { mock, worlds };
}

export const EVENT_OPERATION = operation('GET', '/events', {
  name: 'followRequests',
  about: 'mock',
  summary:
    'Streams the journals of all sandboxes: an event `request` with the whole entry whenever one arrives or changes, and `worlds` with the sandboxes there are whenever something was changed over this API. With the header Last-Event-ID, or `after`, it begins with what changed since',
  query: z.strictObject({ after: z.string().exactOptional().describe('ID of the last event that was seen') }),
  run: ({ sandboxes, query: { after = '' }, message: { headers }, signal }) =>
    eventsOf(sandboxes, [headers['last-event-id'] ?? after].flat()[0] ?? '', signal),
});
