import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { control, controlOf, type WorldId } from './control-api.ts';
import { repeatName, repeatsIn } from './entry-text.ts';
import { cleared, FILTER_NAMES, filtered, KINDS, unknownNames } from './filter.ts';
import { Action, baseOf, worldName } from './parts.tsx';
import { RequestDetail } from './request-detail.tsx';
import { RequestTable } from './request-table.tsx';
import { go, type Route } from './route.ts';

interface Props {
  /** Oldest first. */
  readonly entries: readonly ShownEntry[];
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
  readonly route: Route;
}

/** The requests that the reader wants to see, and the chosen one. */
export function RequestsView({ entries, world, route }: Props): ComponentChildren {
  const { filter = '' } = route;
  const chosen = Number(route.request);
  const ofWorld = useMemo(
    () => entries.filter(({ sandbox }) => world === undefined || sandbox === world),
    [entries, world],
  );
  const [paused, setPaused] = useState<readonly ShownEntry[]>();
  const left = paused ?? ofWorld;
  const repeats = useMemo(() => repeatsIn(left), [left]);
  const found = useMemo(() => filtered(left, filter, repeats), [left, repeats, filter]);
  const entry = ofWorld.find(({ id }) => id === chosen);
  return (
    <div class={entry === undefined ? 'requests' : 'requests split'}>
      <div class="list">
        <div class="bar">
          <FilterInput filter={filter} />
          <span>{`${found.length} of ${left.length}`}</span>
          <button
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused === undefined ? left : undefined)}
          >
            Pause
          </button>
          <button onClick={() => go({ filter: cleared(filter, left.at(-1)?.id ?? 0) })}>Clear</button>
          <Action title="Save HAR" run={() => saveHar(world)} />
        </div>
        <Hints {...{ filter, world }} found={found.length} came={left.length} />
        <RequestTable {...{ found, repeats, chosen }} />
      </div>
      {entry !== undefined && (
        <RequestDetail key={entry.id} entry={entry} times={repeats.get(repeatName(entry))?.length ?? 1} />
      )}
    </div>
  );
}

function FilterInput({ filter }: { readonly filter: string }): ComponentChildren {
  return (
    <>
      <input
        type="search"
        aria-label="Filter"
        title={KNOWN}
        placeholder="Filter: weather code:rate_limit is:charged"
        list="filters"
        value={filter}
        onInput={({ currentTarget: { value } }) => go({ filter: value || undefined }, 'replaceState')}
      />
      <datalist id="filters">
        {[...KINDS.map((kind) => `is:${kind}`), ...FILTER_NAMES.map((name) => `${name}:`)].map((start) => (
          <option key={start} value={start} />
        ))}
      </datalist>
    </>
  );
}

const KNOWN = `Words that occur, or NAME:VALUE with ${FILTER_NAMES.join(', ')}.`;

interface HintsProps extends Pick<Props, 'world'> {
  readonly filter: string;
  /** How many requests are shown, of how many of the world. */
  readonly found: number;
  readonly came: number;
}

/** Why no request is shown, or not those that were meant. */
function Hints({ filter, world, found, came }: HintsProps): ComponentChildren {
  const unknown = unknownNames(filter);
  return (
    <>
      {unknown.map((name) => (
        <p key={name} class="warn bar">
          The filter knows no name “{name}” and looks for the whole word.
        </p>
      ))}
      {came > 0 && (found === 0 || unknown.length > 0) && (
        <p class="quiet bar">
          {found === 0 && 'Nothing matches.'} {KNOWN}
          <button onClick={() => go({ filter: undefined })}>Show all</button>
        </p>
      )}
      {came === 0 && (
        <p class="quiet bar">
          No request yet{world !== undefined && ` in ${worldName(world)}`}. Point a client at{' '}
          <code>{`${baseOf(world ?? null)}/v1`}</code> and it appears here.
        </p>
      )}
    </>
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
