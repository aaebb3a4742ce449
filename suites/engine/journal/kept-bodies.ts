import { hash } from 'node:crypto';
import type { Answer, Exchange } from '../model/exchange.ts';

/** The bodies of a run take no more in memory, and about as much in its journal. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A piece is two numbers in an object. */
const PIECE_BYTES = 48;

/** The bodies of a run, in the order in which its exchanges end: while there is room they are kept. */
export class KeptBodies {
  readonly #known = new WeakMap<Exchange, Exchange>();
  #room: number;

  constructor(most = MOST_BYTES) {
    this.#room = most;
  }

  /** The same exchange, or one of whose body only the size and the hash are left; the same one each time. */
  keep(exchange: Exchange): Exchange {
    const kept = this.#known.get(exchange) ?? this.#fitted(exchange);
    this.#known.set(exchange, kept).set(kept, kept);
    return kept;
  }

  #fitted(exchange: Exchange): Exchange {
    const { outcome } = exchange;
    if (outcome.kind === 'not-sent' || outcome.answer === undefined) return exchange;
    const size = outcome.answer.body.length + outcome.answer.pieces.length * PIECE_BYTES;
    if (size > this.#room) return { ...exchange, outcome: { ...outcome, answer: counted(outcome.answer) } };
    this.#room -= size;
    return exchange;
  }
}

function counted({ body, whole, ...rest }: Answer): Answer {
  const sha256 = (): string => hash('sha256', body, 'hex');
  return {
    ...rest,
    body: new Uint8Array(),
    pieces: [],
    whole: whole ?? { bytes: body.length, sha256: sha256() },
  };
}
