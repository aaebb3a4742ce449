import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JournalEntry } from '../../../journal/journal.ts';
import { Row } from './row.tsx';
import { nextChoice, scrollToRow, type VisibleRows, useVisibleRows } from './visible-rows.ts';

interface Props {
  readonly entries: readonly JournalEntry[];
  readonly repeats: ReadonlyMap<string, readonly JournalEntry[]>;
  /** The ID of the chosen entry. */
  readonly chosen: number | undefined;
  readonly choose: (id: number | undefined) => void;
  readonly isNarrow: boolean;
}

/** As in the style sheet. */
const ROW_PX = { wide: 28, narrow: 50 };
const COLUMNS = ['Time', 'Request', 'Model', 'Key', 'Status', 'Took', 'Debit', 'Idempotency-Key', 'Faults'];

/** All requests, of which only the visible rows are drawn. It stays at the end if it is there, and at a chosen request. */
export function RequestGrid(props: Props): ComponentChildren {
  const { entries, chosen, choose, isNarrow } = props;
  const box = useRef<HTMLDivElement>(null);
  const height = isNarrow ? ROW_PX.narrow : ROW_PX.wide;
  const visible = useVisibleRows(box, entries.length, height, chosen === undefined);
  useLayoutEffect(() => {
    const index = entries.findIndex(({ id }) => id === chosen);
    if (index !== -1) scrollToRow(box.current, index * height, height);
  }, [chosen, height]);
  const walk = (event: KeyboardEvent): void => {
    const index = entries.findIndex(({ id }) => id === chosen);
    const next = nextChoice(event.key, index, entries.length, visible.page);
    if (event.key === 'Escape') choose(undefined);
    if (next === undefined) return;
    event.preventDefault();
    choose(entries[next]?.id);
  };
  return (
    <div
      class={isNarrow ? 'grid narrow' : 'grid'}
      role="grid"
      aria-label="Requests"
      aria-rowcount={entries.length + 1}
      aria-activedescendant={chosen === undefined ? undefined : `request-${chosen}`}
      tabIndex={0}
      ref={box}
      onScroll={visible.look}
      onKeyDown={walk}
    >
      <Head />
      <Rows {...props} first={visible.first} last={visible.last} height={height} />
      {entries.length === 0 && <Empty />}
    </div>
  );
}

type RowsProps = Props & Pick<VisibleRows, 'first' | 'last'> & { readonly height: number };

function Rows({ entries, repeats, chosen, choose, first, last, height }: RowsProps): ComponentChildren {
  const group = entries.find(({ id }) => id === chosen)?.idempotencyKey ?? undefined;
  return (
    <div class="rows" role="rowgroup" style={{ height: `${entries.length * height}px` }}>
      {entries.slice(first, last).map((entry, index) => (
        <Row
          key={entry.id}
          entry={entry}
          index={first + index}
          top={(first + index) * height}
          repeats={repeats}
          isChosen={entry.id === chosen}
          isTied={group !== undefined && entry.idempotencyKey === group}
          choose={choose}
        />
      ))}
    </div>
  );
}

function Head(): ComponentChildren {
  return (
    <div class="head" role="row" aria-rowindex={1}>
      {COLUMNS.map((title) => (
        <span key={title} role="columnheader">
          {title}
        </span>
      ))}
    </div>
  );
}

function Empty(): ComponentChildren {
  return (
    <div class="empty" role="row">
      <p role="gridcell">
        No request yet. Point a client at <code>{`${location.origin}/v1`}</code> and it appears here.
      </p>
    </div>
  );
}
