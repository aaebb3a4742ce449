import type { Transport } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';

/** How long requests under way are waited for once the time of a run is over. */
const GRACE_MS = 5000;

/** How much longer a control URL has to take back what was armed. */
const LAST_MS = 1000;

/** Ends a run before it has sent everything: by the signal of its user, or once its time is over. */
export class RunEnd {
  /** Aborted: nothing more is sent, and nothing that would only delay the end is waited for. */
  readonly signal: AbortSignal;
  /** Aborted: answers that are still under way are no longer waited for. */
  readonly givenUp: AbortSignal;
  readonly #disarmed: AbortSignal;
  readonly #user: AbortSignal | undefined;
  readonly #isOver: string;

  constructor({ signal: user, maxTimeMs }: Pick<RunOptions, 'signal' | 'maxTimeMs'>) {
    this.#user = user;
    this.#isOver = `--max-time ${durationText(maxTimeMs ?? 0)} is over`;
    const after = (ms: number): AbortSignal => {
      const over = new AbortController();
      // Nothing waits for these timers: a run may end sooner.
      if (maxTimeMs !== undefined) setTimeout(() => over.abort(this.#isOver), maxTimeMs + ms).unref();
      return over.signal;
    };
    this.signal = AbortSignal.any([after(0), ...(user === undefined ? [] : [user])]);
    this.givenUp = after(GRACE_MS);
    this.#disarmed = after(GRACE_MS + LAST_MS);
  }

  /** Why nothing more is sent; undefined while requests are sent. */
  get reason(): string | undefined {
    if (this.#user?.aborted === true) return 'interrupted';
    return this.signal.aborted ? this.#isOver : undefined;
  }

  /** The transport of a control URL, whose answers are waited for no longer either. */
  bounded({ exchange, close }: Transport): Transport {
    return {
      exchange: (request) =>
        exchange(request, { giveUp: request.method === 'DELETE' ? this.#disarmed : this.givenUp }),
      close,
    };
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
