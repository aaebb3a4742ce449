import type { Pace } from '../model/run.ts';

/** Spaces requests evenly over a window of time. */
export class Pacemaker {
  readonly #intervalMs: number;
  readonly #windowMs: number;
  #freeAt = -Infinity;

  /** Without a pace every request may leave at once. */
  constructor(pace: Pace | undefined) {
    this.#intervalMs = pace === undefined ? 0 : pace.perMs / pace.requests;
    this.#windowMs = pace?.perMs ?? 0;
  }

  /** Milliseconds until the next request may leave; 0: it may leave now, and `take` says that it does. */
  leftMs(now: number): number {
    return Math.max(0, this.#freeAt - now);
  }

  /** A request leaves. One that did not ask counts too: those after it wait the longer, at most for one window. */
  take(now: number): void {
    const from = Math.max(now, this.#freeAt);
    this.#freeAt = Math.min(from + this.#intervalMs, now + this.#windowMs);
  }
}

/** The milliseconds that requests take at a pace. */
export function durationAt({ requests, perMs }: Pace, count: number): number {
  return (count * perMs) / requests;
}
