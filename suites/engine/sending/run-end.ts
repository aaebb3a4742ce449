import type { Transport } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';

/** How long requests under way are waited for once the time of a run is over. */
const GRACE_MS = 5000;

/** How much longer a control URL has to take back what was armed. */
const LAST_MS = 1000;

/** Ends a run before it has sent everything: by the signal of its user, or once its time is over. */
export class RunEnd {
  readonly #over = new AbortController();
  readonly #givenUp = new AbortController();
  readonly #disarmed = new AbortController();
  /** Aborted: nothing more is sent, and nothing that would only delay the end is waited for. */
  readonly signal: AbortSignal = this.#over.signal;
  /** Aborted: answers that are still under way are no longer waited for. */
  readonly givenUp: AbortSignal = this.#givenUp.signal;

  constructor({ signal, maxTimeMs }: Pick<RunOptions, 'signal' | 'maxTimeMs'>) {
    const interrupt = (): void => this.#over.abort('interrupted');
    if (signal?.aborted === true) interrupt();
    else signal?.addEventListener('abort', interrupt, { once: true });
    if (maxTimeMs === undefined) return;
    const end = (after: number, controller: AbortController): void => {
      const reason = `--max-time ${maxTimeMs / 1000}s is over`;
      // Nothing waits for these timers: a run may end sooner.
      setTimeout(() => controller.abort(reason), maxTimeMs + after).unref();
    };
    end(0, this.#over);
    end(GRACE_MS, this.#givenUp);
    end(GRACE_MS + LAST_MS, this.#disarmed);
  }

  /** Why nothing more is sent; undefined while requests are sent. */
  get reason(): string | undefined {
    return this.signal.aborted ? String(this.signal.reason) : undefined;
  }

  /** The transport of a control URL, whose answers are waited for no longer either. */
  bounded({ exchange, close }: Transport): Transport {
    return {
      exchange: (request) =>
        exchange(request, { giveUp: request.method === 'DELETE' ? this.#disarmed.signal : this.givenUp }),
      close,
    };
  }
}
