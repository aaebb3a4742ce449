import type { Piece } from '../model/exchange.ts';

/** A network as TCP sees it, the same in both directions. */
export interface Network {
  readonly roundTripMs: number;
  readonly bytesPerSecond: number;
  /** The most by which a segment comes later than the others. */
  readonly jitterMs: number;
}

const SEGMENT_BYTES = 1460;

/** Segments that are sent before the first acknowledgement (RFC 6928). */
const INITIAL_WINDOW = 10;

/** After so long without a segment, and no sooner than two round trips, the window is the initial one again (RFC 2861). */
const IDLE_MS = 200;

/**
 * One direction of a connection: computes when bytes that are written arrive, with slow start, a line of a certain
 * width, jitter, and the restart after an idle time. It keeps no clock: whoever uses it says what time it is.
 */
class SimulatedLink {
  readonly #network: Network;
  readonly #random: () => number;
  /** In order, as the acknowledgements are. */
  readonly #arrivals: Piece[] = [];
  readonly #acknowledgements: number[] = [];
  /** The lengths of what waits for the window; the last one grows with what is written. */
  #waiting: number[] = [];
  #sent = 0;
  #inFlight = 0;
  #window = INITIAL_WINDOW;
  #lineFreeAt = 0;
  #lastSentAt = -Infinity;
  #lastArrival = 0;

  /** `random` returns numbers from 0 to below 1. */
  constructor(network: Network, random: () => number) {
    this.#network = network;
    this.#random = random;
  }

  /** No earlier than anything that was written or taken before. */
  write(at: number, bytes: number): void {
    this.#enqueue(bytes);
    this.#send(at);
  }

  /** When something happens next; undefined when everything has arrived and was acknowledged. */
  get nextAt(): number | undefined {
    const next = Math.min(this.#arrivals[0]?.at ?? Infinity, this.#acknowledgements[0] ?? Infinity);
    return next === Infinity ? undefined : next;
  }

  /** How many bytes have arrived with the next event; undefined if it is an acknowledgement. */
  take(): number | undefined {
    const [arrival] = this.#arrivals;
    const [acknowledged = Infinity] = this.#acknowledgements;
    if (arrival !== undefined && arrival.at <= acknowledged) return this.#arrivals.shift()?.upTo;
    this.#acknowledgements.shift();
    this.#inFlight -= 1;
    this.#window += 1;
    this.#send(acknowledged);
    return undefined;
  }

  /** What waits is sent in full segments, but a write that need not wait leaves at once. */
  #enqueue(bytes: number): void {
    let left = bytes;
    const last = this.#waiting.length - 1;
    const room = SEGMENT_BYTES - (this.#waiting[last] ?? SEGMENT_BYTES);
    if (room > 0) {
      this.#waiting[last] = SEGMENT_BYTES - room + Math.min(room, left);
      left -= Math.min(room, left);
    }
    for (; left > 0; left -= SEGMENT_BYTES) this.#waiting.push(Math.min(SEGMENT_BYTES, left));
  }

  #send(now: number): void {
    const idleMs = Math.max(IDLE_MS, 2 * this.#network.roundTripMs);
    if (this.#inFlight === 0 && now - this.#lastSentAt > idleMs) this.#window = INITIAL_WINDOW;
    while (this.#inFlight < this.#window) {
      const bytes = this.#waiting.shift();
      if (bytes === undefined) return;
      this.#sendSegment(now, bytes);
    }
  }

  #sendSegment(now: number, bytes: number): void {
    const { roundTripMs, bytesPerSecond, jitterMs } = this.#network;
    this.#lineFreeAt = Math.max(now, this.#lineFreeAt) + (1000 * bytes) / bytesPerSecond;
    // A segment that overtakes another waits for it.
    const arrival = Math.max(
      this.#lastArrival,
      this.#lineFreeAt + roundTripMs / 2 + jitterMs * this.#random(),
    );
    this.#inFlight += 1;
    this.#sent += bytes;
    this.#lastSentAt = now;
    this.#lastArrival = arrival;
    this.#arrivals.push({ at: arrival, upTo: this.#sent });
    this.#acknowledgements.push(arrival + roundTripMs / 2);
  }
}

/** Bytes that a service writes, and when. */
export interface Write {
  readonly at: number;
  readonly bytes: number;
}

/** When what is written arrives: the same for the same network, writes and seed. */
export function arrivalsOf(writes: readonly Write[], network: Network, seed: number): readonly Piece[] {
  const link = new SimulatedLink(network, numbersFrom(seed));
  const pieces: Piece[] = [];
  const until = (time: number): void => {
    for (let at = link.nextAt; at !== undefined && at <= time; at = link.nextAt) {
      const upTo = link.take();
      if (upTo !== undefined) pieces.push({ at, upTo });
    }
  };
  for (const { at, bytes } of writes) {
    until(at);
    link.write(at, bytes);
  }
  until(Infinity);
  return pieces;
}

/** Numbers from 0 to below 1 that the seed decides (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
