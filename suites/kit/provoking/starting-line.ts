import type { Draft } from '../model/exchange.ts';

/** A front may take fewer connections than there are requests: they then start without the others. */
const LONGEST_WAIT_MS = 2000;

/**
 * Makes several requests arrive at the same time, however busy this machine or the network is: each holds back its last
 * byte until all others have come as far, or have ended.
 */
export class StartingLine {
  readonly #start = Promise.withResolvers<void>();
  readonly #awaited: Set<object>;
  #timer: NodeJS.Timeout | undefined;

  constructor(lanes: readonly object[]) {
    this.#awaited = new Set(lanes);
  }

  /** What a request in this lane awaits before its last byte leaves. */
  hold(lane: object): NonNullable<Draft['hold']> {
    return () => {
      this.#timer ??= setTimeout(this.#start.resolve, LONGEST_WAIT_MS);
      this.leave(lane);
      return this.#start.promise;
    };
  }

  /** The request in this lane is ready, or has ended. */
  leave(lane: object): void {
    this.#awaited.delete(lane);
    if (this.#awaited.size > 0) return;
    clearTimeout(this.#timer);
    this.#start.resolve();
  }
}
