import type { ShardJournal } from './belonging-shards.ts';
import type { Entry } from '../journal/entry.ts';

/**
 * What the shards sent and judged, as lines of one journal. The preflight and the accepted twins were sent by several: of
 * equal IDs all but the first get the number of their shard.
 */
export function shardLines(shards: readonly ShardJournal[]): readonly Entry[] {
  const taken = new Set<string>();
  let places = 0;
  return shards.flatMap(({ lines: { entries }, shard: { index } }) => {
    const before = new Set(taken);
    const first = places;
    const id = (own: string): string => (before.has(own) ? `${own}@${index}` : own);
    for (const entry of entries) {
      if (entry.type === 'sent' || entry.type === 'withheld') taken.add(entry.id);
      if (entry.type === 'trial') places = Math.max(places, first + entry.nth + 1);
    }
    return entries.flatMap((entry) => movedLine(entry, id, first) ?? []);
  });
}

/** Undefined for what is said of a run as a whole. */
function movedLine(entry: Entry, id: (own: string) => string, first: number): Entry | undefined {
  switch (entry.type) {
    case 'sent':
    case 'ended':
    case 'withheld':
      return { ...entry, id: id(entry.id) };
    case 'trial': {
      const { nth, exchanges, control } = entry;
      const twin = control === undefined ? {} : { control: id(control) };
      return { ...entry, nth: first + nth, exchanges: exchanges.map(id), ...twin };
    }
    case 'shown':
      return entry;
    case 'run':
    case 'survey':
    case 'invariant':
    case 'finished':
      return undefined;
  }
}
