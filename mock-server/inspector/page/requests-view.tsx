import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { control, controlOf, type WorldId } from './control-api.ts';
import { repeatName, repeatsIn } from './entry-text.ts';
import { COLUMN_NAMES, filtered, isKind, KINDS, unknownNames } from './filter.ts';
import { Action, baseOf, Choice, worldName } from './parts.tsx';
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
  const { filter: text = '', kind: asked = '' } = route;
  const kind = isKind(asked) ? asked : 'all requests';
  const chosen = Number(route.request);
  const ofWorld = useMemo(
    () => entries.filter(({ sandbox }) => world === undefined || sandbox === world),
    [entries, world],
  );
  const { left, ...stopping } = useStopped(ofWorld);
  const repeats = useMemo(() => repeatsIn(left), [left]);
  const found = useMemo(() => filtered(left, { text, kind }, repeats), [left, repeats, text, kind]);
  const entry = ofWorld.find(({ id }) => id === chosen);
  return (
    <div class={entry === undefined ? 'requests' : 'requests split'}>
      <div class="list">
        <div class="bar">
          <FilterInput text={text} />
          <Choice label="Kind" value={kind} choices={KINDS} choose={(name) => go({ kind: name })} />
          <span>{`${found.length} of ${left.length}`}</span>
          <button aria-pressed={stopping.isPaused} onClick={stopping.pause}>
            Pause
          </button>
          <button onClick={stopping.clear}>Clear</button>
          <Action title="Save HAR" run={() => saveHar(world)} />
        </div>
        <Unknown text={text} />
        {found.length === 0 && <Nothing {...{ world, came: ofWorld.length, left: left.length }} />}
        <RequestTable {...{ found, repeats, chosen }} />
      </div>
      {entry !== undefined && (
        <RequestDetail key={entry.id} entry={entry} group={repeats.get(repeatName(entry)) ?? []} />
      )}
    </div>
  );
}

function FilterInput({ text }: { readonly text: string }): ComponentChildren {
  return (
    <input
      type="search"
      aria-label="Filter"
      title={KNOWN}
      placeholder="Filter: weather code:rate_limit status:502"
      value={text}
      onInput={({ currentTarget: { value } }) => go({ filter: value || undefined }, 'replaceState')}
    />
  );
}

function Unknown({ text }: { readonly text: string }): ComponentChildren {
  return unknownNames(text).map((name) => (
    <p key={name} class="warn bar">
      The filter knows no name “{name}” and looks for the whole word. {KNOWN}
    </p>
  ));
}

const KNOWN = `Words that occur, or NAME:VALUE with ${COLUMN_NAMES.join(', ')}.`;

interface NothingProps extends Pick<Props, 'world'> {
  /** How many requests of the world are known, and how many of them were not cleared. */
  readonly came: number;
  readonly left: number;
}

/** Why no request is shown. */
function Nothing({ world, came, left }: NothingProps): ComponentChildren {
  if (left > 0)
    return (
      <p class="quiet bar">
        Nothing matches. {KNOWN}
        <button onClick={() => go({ filter: undefined, kind: undefined })}>Show all</button>
      </p>
    );
  if (came > 0) return <p class="quiet bar">No request since the list was cleared.</p>;
  return (
    <p class="quiet bar">
      <span>
        No request yet{world !== undefined && ` in ${worldName(world)}`}. Point a client at{' '}
        <code>{`${baseOf(world ?? null)}/v1`}</code> and it appears here.
      </span>
    </p>
  );
}

interface Stopped {
  readonly left: readonly ShownEntry[];
  readonly isPaused: boolean;
  /** Keeps the requests of now, or goes on. */
  readonly pause: () => void;
  /** Leaves out what has come so far. */
  readonly clear: () => void;
}

function useStopped(entries: readonly ShownEntry[]): Stopped {
  const [paused, setPaused] = useState<readonly ShownEntry[]>();
  const [clearedAt, setClearedAt] = useState(0);
  const came = paused ?? entries;
  return {
    left: useMemo(() => came.filter(({ id }) => id > clearedAt), [came, clearedAt]),
    isPaused: paused !== undefined,
    pause: () => setPaused(paused === undefined ? entries : undefined),
    clear: () => setClearedAt(entries.at(-1)?.id ?? 0),
  };
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
