import type { ComponentChildren } from 'preact';
import { attempt } from '../parts/notices.tsx';
import { controlOf, authorization } from '../state/control-api.ts';
import type { WorldId } from '../state/wire.ts';
import { COLUMN_NAMES, type Filter, type Kind, KINDS } from './filter.ts';

type Typed = Omit<Filter, 'world'>;

interface Props {
  readonly filter: Typed;
  readonly setFilter: (filter: Typed) => void;
  readonly shown: number;
  readonly total: number;
  readonly isPaused: boolean;
  readonly pause: () => void;
  readonly clear: () => void;
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
}

const HINT = `Words that occur, or NAME:VALUE with ${COLUMN_NAMES.join(', ')}`;

export function FilterBar(props: Props): ComponentChildren {
  const { filter, setFilter, shown, total, isPaused, pause, clear, world } = props;
  const toggle = (kind: Kind): void =>
    setFilter({ ...filter, kinds: filter.kinds.symmetricDifference(new Set([kind])) });
  return (
    <div class="bar">
      <input
        type="search"
        aria-label="Filter"
        title={HINT}
        placeholder="Filter: order-1  status:502  model:compact"
        value={filter.text}
        onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
      />
      <div class="chips" role="group" aria-label="Only these kinds of requests">
        {KINDS.map((kind) => (
          <button key={kind} class="chip" aria-pressed={filter.kinds.has(kind)} onClick={() => toggle(kind)}>
            {kind}
          </button>
        ))}
      </div>
      <span class="shown">
        {shown === total
          ? total.toLocaleString('en')
          : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </span>
      <button aria-pressed={isPaused} onClick={pause}>
        {isPaused ? 'Paused' : 'Pause'}
      </button>
      <button onClick={clear}>Clear</button>
      <button onClick={() => attempt(() => saveHar(world))}>Save HAR</button>
    </div>
  );
}

/** The token stands in a header, so a link would not do. */
async function saveHar(world: WorldId | undefined): Promise<string> {
  const path = world === undefined ? `${controlOf(null)}/har?worlds=all` : `${controlOf(world)}/har`;
  const response = await fetch(path, { headers: authorization() });
  const address = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: `${world === undefined ? 'all-worlds' : (world ?? 'mock')}.har`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
  if (world === undefined) return 'Saved the journals of all worlds as HAR';
  return `Saved the journal of ${world === null ? "the mock's own world" : `sandbox ${world}`} as HAR`;
}
