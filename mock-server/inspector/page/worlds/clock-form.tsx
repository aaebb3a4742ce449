import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { attempt } from '../parts/notices.tsx';
import { control, controlOf } from '../state/control-api.ts';
import type { ClockAnswer, WorldId } from '../state/wire.ts';

const MINUTE_MS = 60_000;
const STEPS = [
  ['1 min', MINUTE_MS],
  ['1 h', 60 * MINUTE_MS],
  ['24 h', 24 * 60 * MINUTE_MS],
] as const;

interface Props {
  readonly world: WorldId;
  readonly clock: ClockAnswer;
}

/** Moves the clock of a world, by which Idempotency-Keys and rules expire. */
export function ClockForm({ world, clock }: Props): ComponentChildren {
  const move = (body: object): void =>
    attempt(async () => {
      const { now } = await control<ClockAnswer>('POST', `${controlOf(world)}/clock`, body);
      return `The clock is at ${now}`;
    });
  return (
    <section class="card" aria-label="Clock">
      <h2>Clock</h2>
      <p class="amount small">{clock.now.replace('T', ' ').replace('Z', '')}</p>
      <p class="quiet">{clock.kind === 'frozen' ? 'It stands still, in UTC.' : 'It runs, in UTC.'}</p>
      <p class="buttons">
        {STEPS.map(([title, ms]) => (
          <button key={title} onClick={() => move({ advance: ms })}>
            + {title}
          </button>
        ))}
        {clock.kind === 'frozen' ? (
          <button onClick={() => move({ real: true })}>Let it run</button>
        ) : (
          <button onClick={() => move({ freeze: true })}>Stop it</button>
        )}
      </p>
      <Instant set={(instant) => move({ freeze: instant })} />
    </section>
  );
}

function Instant({ set }: { readonly set: (instant: string) => void }): ComponentChildren {
  const [instant, setInstant] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set(instant);
      }}
    >
      <label>
        <span>Stop it at</span>
        <input
          value={instant}
          placeholder="2026-01-01T00:00:00Z"
          onInput={(event) => setInstant(event.currentTarget.value)}
        />
      </label>
      <button disabled={instant === ''}>Set</button>
    </form>
  );
}
