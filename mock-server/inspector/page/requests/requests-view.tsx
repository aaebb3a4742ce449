import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { JournalEntry } from '../../../journal/journal.ts';
import { useIsNarrow, useLive } from '../state/hooks.ts';
import type { WorldId } from '../state/wire.ts';
import { Detail } from './detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filter, filtered, repeatsIn } from './filter.ts';
import { RequestGrid } from './request-grid.tsx';

interface Props {
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
  readonly filter: Omit<Filter, 'world'>;
  readonly setFilter: (filter: Omit<Filter, 'world'>) => void;
}

/** The timeline, and one of its requests. */
export function RequestsView({ world, filter, setFilter }: Props): ComponentChildren {
  const { list } = useLive();
  const isNarrow = useIsNarrow();
  const [chosen, choose] = useState<number | undefined>();
  const { entries, repeats, total, ...stopped } = useShown(world, filter);
  const entry = chosen === undefined ? undefined : list.get(chosen);
  const clear = (): void => {
    stopped.clear();
    choose(undefined);
  };
  return (
    <div class={entry === undefined ? 'requests' : 'requests split'}>
      <div class="timeline">
        <FilterBar
          filter={filter}
          setFilter={setFilter}
          shown={entries.length}
          total={total}
          isPaused={stopped.isPaused}
          pause={stopped.pause}
          clear={clear}
          world={world}
        />
        <RequestGrid {...{ entries, repeats, chosen, choose, isNarrow }} />
      </div>
      {entry !== undefined && (
        <Detail entry={entry} repeats={repeats} choose={choose} close={() => choose(undefined)} />
      )}
    </div>
  );
}

interface Shown {
  readonly entries: readonly JournalEntry[];
  readonly repeats: ReadonlyMap<string, readonly JournalEntry[]>;
  /** Before the filter. */
  readonly total: number;
  readonly isPaused: boolean;
  readonly pause: () => void;
  /** Leaves out what has come so far. */
  readonly clear: () => void;
}

/** The requests that the reader wants to see, as they come unless the reader has paused them. */
function useShown(world: WorldId | undefined, filter: Props['filter']): Shown {
  const { list } = useLive();
  const [after, setAfter] = useState(0);
  const [paused, setPaused] = useState<readonly JournalEntry[] | undefined>();
  const all = paused ?? list.all();
  const shown = useMemo(() => {
    const seen = after === 0 ? all : all.filter(({ id }) => id > after);
    const repeats = repeatsIn(seen);
    return { entries: filtered(seen, { ...filter, world }, repeats), repeats, total: seen.length };
  }, [all, filter, world, after]);
  return {
    ...shown,
    isPaused: paused !== undefined,
    pause: () => setPaused(paused === undefined ? list.all() : undefined),
    clear: () => setAfter(list.newest),
  };
}
