import type { Outcome, Transport, WireRequest } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';

/** How long requests under way are waited for once the time of a run is over. */
const GRACE_MS = 5000;

/** How long a control URL has to take back what was armed, where that time has passed too. */
const LAST_MS = 1000;

/** Ends a run before it has sent everything: by the signal of its user, or once its time is over. */
export class RunEnd {
  /** Aborted: nothing more is sent, and nothing that would only delay the end is waited for. */
  readonly signal: AbortSignal;
  readonly #givenUp = new AbortController();
  readonly #user: AbortSignal | undefined;
  readonly #maxTimeMs: number | undefined;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({ signal, maxTimeMs }: Pick<RunOptions, 'signal' | 'maxTimeMs'>) {
    const over = new AbortController();
    this.#user = signal;
    this.#maxTimeMs = maxTimeMs;
    this.signal = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    this.#timers =
      maxTimeMs === undefined
        ? []
        : [
            setTimeout(() => over.abort(), maxTimeMs),
            setTimeout(() => this.#givenUp.abort(this.reason), maxTimeMs + GRACE_MS),
          ];
  }

  /** Aborted: answers that are still under way are no longer waited for. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** Why nothing more is sent; undefined while requests are sent. */
  get reason(): string | undefined {
    if (this.#user?.aborted === true) return 'interrupted';
    return this.signal.aborted ? `--max-time ${durationText(this.#maxTimeMs ?? 0)} is over` : undefined;
  }

  /** The transport of a control URL, whose answers are waited for no longer either. */
  bounded({ exchange, close }: Transport): Transport {
    const bounded = async (request: WireRequest): Promise<Outcome> => {
      const isOver = this.givenUp.aborted;
      if (isOver && request.method !== 'DELETE') return { kind: 'not-sent', reason: `${this.reason}` };
      return exchange(request, { giveUp: isOver ? this.#last() : this.givenUp });
    };
    return { exchange: bounded, close };
  }

  #last(): AbortSignal {
    const last = new AbortController();
    setTimeout(() => last.abort(this.reason), LAST_MS).unref();
    return last.signal;
  }

  /** Call it once the run has ended: its time no longer matters. */
  release(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

const UNITS = [
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const;

/** As `--max-time` takes it. */
function durationText(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms % each === 0) ?? [1000, 's'];
  return `${ms / size}${unit}`;
}
