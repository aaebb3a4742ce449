import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { JournalEntry } from '../../journal/journal.ts';
import { control, controlOf, type WorldId } from './control-api.ts';
import { repeatName, repeatsIn } from './entry-text.ts';
import { COLUMN_NAMES, filtered, type Kind, KINDS } from './filter.ts';
import { Action, Choice } from './parts.tsx';
import { RequestDetail } from './request-detail.tsx';
import { RequestTable } from './request-table.tsx';

interface Props {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
  readonly text: string;
  readonly setText: (text: string) => void;
}

/** The requests that the reader wants to see, and the chosen one. */
export function RequestsView({ entries, world, text, setText }: Props): ComponentChildren {
  const [kind, setKind] = useState<Kind>('all requests');
  const [chosen, choose] = useState<number>();
  const { left, ...stopping } = useStopped(entries);
  const repeats = useMemo(() => repeatsIn(left), [left]);
  const found = useMemo(
    () => filtered(left, { text, kind, world }, repeats),
    [left, repeats, text, kind, world],
  );
  const entry = left.find(({ id }) => id === chosen);
  return (
    <div class={entry === undefined ? 'requests' : 'requests split'}>
      <div class="list">
        <div class="bar">
          <FilterInput text={text} setText={setText} />
          <Choice label="Kind" value={kind} choices={KINDS} choose={setKind} />
          <span>{`${found.length} of ${left.length}`}</span>
          <button aria-pressed={stopping.isPaused} onClick={stopping.pause}>
            Pause
          </button>
          <button onClick={stopping.clear}>Clear</button>
          <Action title="Save HAR" run={() => saveHar(world)} />
        </div>
        {left.length === 0 && (
          <p class="quiet bar">
            No request yet. Point a client at <code>{`${location.origin}/v1`}</code> and it appears here.
          </p>
        )}
        <RequestTable {...{ found, repeats, chosen, choose }} />
      </div>
      {entry !== undefined && (
        <RequestDetail entry={entry} group={repeats.get(repeatName(entry)) ?? []} choose={choose} />
      )}
    </div>
  );
}

interface Stopped {
  readonly left: readonly JournalEntry[];
  readonly isPaused: boolean;
  /** Keeps the requests of now, or goes on. */
  readonly pause: () => void;
  /** Leaves out what has come so far. */
  readonly clear: () => void;
}

function useStopped(entries: readonly JournalEntry[]): Stopped {
  const [paused, setPaused] = useState<readonly JournalEntry[]>();
  const [clearedAt, setClearedAt] = useState(0);
  const came = paused ?? entries;
  return {
    left: useMemo(() => came.filter(({ id }) => id > clearedAt), [came, clearedAt]),
    isPaused: paused !== undefined,
    pause: () => setPaused(paused === undefined ? entries : undefined),
    clear: () => setClearedAt(entries.at(-1)?.id ?? 0),
  };
}

function FilterInput({ text, setText }: Pick<Props, 'text' | 'setText'>): ComponentChildren {
  return (
    <input
      type="search"
      aria-label="Filter"
      title={`Words that occur, or NAME:VALUE with ${COLUMN_NAMES.join(', ')}`}
      placeholder="Filter: order-1 status:502 model:compact"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** A link could not send the token, which stands in a header. */
async function saveHar(world: WorldId | undefined): Promise<string> {
  const path = world === undefined ? '/control/har?worlds=all' : `${controlOf(world)}/har`;
  const har = await control<object>('GET', path);
  const href = URL.createObjectURL(new Blob([JSON.stringify(har)], { type: 'application/json' }));
  const download = `${world === undefined ? 'all-worlds' : (world ?? 'mock')}.har`;
  Object.assign(document.createElement('a'), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href));
  return `Saved ${download}`;
}
