import type { ComponentChildren } from 'preact';
import { useLive } from '../state/hooks.ts';
import type { Connection } from '../state/live-requests.ts';
import type { WorldId } from '../state/wire.ts';

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Disconnected',
  token: 'Locked',
};

interface Props {
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
  readonly choose: (world: WorldId | undefined) => void;
}

/** Which world the page looks at, and whether it hears of the mock. */
export function Header({ world, choose }: Props): ComponentChildren {
  const { connection, list } = useLive();
  const options: readonly (readonly [value: string, title: string])[] = [
    ['all', 'All worlds'],
    ['own', "The mock's own world"],
    ...list.worlds.flatMap((id): readonly (readonly [string, string])[] =>
      id === null ? [] : [[`sandbox ${id}`, `Sandbox ${id}`]],
    ),
  ];
  const value = world === undefined ? 'all' : world === null ? 'own' : `sandbox ${world}`;
  return (
    <div class="top">
      <h1>
        <img src="/control/ui/icon.svg" alt="" width="18" height="18" /> Mock inspector
      </h1>
      <label class="world">
        <span aria-hidden="true">World</span>
        <select
          aria-label="World"
          value={value}
          onChange={(event) => choose(worldOf(event.currentTarget.value))}
        >
          {options.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <span class={`connection ${connection}`} role="status">
        <i aria-hidden="true" /> {CONNECTIONS[connection]}
      </span>
    </div>
  );
}

function worldOf(value: string): WorldId | undefined {
  if (value === 'all') return undefined;
  return value === 'own' ? null : value.slice('sandbox '.length);
}
