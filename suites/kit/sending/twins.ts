import type { Draft } from '../draft.ts';
import type { Exchange } from '../exchange.ts';
import type { RunOptions } from '../run.ts';
import { draftPrint } from './draft-print.ts';
import { isChargeable, sentRequest } from './sent-request.ts';

type Send = (id: string, draft: Draft) => Promise<Exchange>;

/** The accepted twins of a run: equal ones are sent once, and completions only where the run asks for any. */
export class Twins {
  readonly #send: Send;
  readonly #withholds: RunOptions['withholds'];
  readonly #most: number;
  readonly #known = new Map<string, Promise<Exchange>>();
  readonly #withheld = new WeakSet<Exchange>();

  /** `most`: how many different ones are sent. */
  constructor(send: Send, withholds: RunOptions['withholds'], most: number) {
    this.#send = send;
    this.#withholds = withholds;
    this.#most = most;
  }

  /** The exchange of a twin, sent now or before. */
  exchange(draft: Draft): Promise<Exchange> {
    const print = draftPrint(draft);
    const known = this.#known.get(print);
    if (known !== undefined) return known;
    const exchange = this.#first(`control/${print}`, draft);
    this.#known.set(print, exchange);
    return exchange;
  }

  /** Whether a twin was not sent because the run asks for no completions. */
  isWithheld(exchange: Exchange): boolean {
    return this.#withheld.has(exchange);
  }

  async #first(id: string, draft: Draft): Promise<Exchange> {
    if (this.#withholds === 'completions' && isChargeable(draft)) {
      const twin = notSent(id, draft, 'it is a completion, and this run asks for none');
      this.#withheld.add(twin);
      return twin;
    }
    if (this.#known.size >= this.#most)
      return notSent(id, draft, 'the target lists more than was planned for');
    return this.#send(id, draft);
  }
}

function notSent(id: string, draft: Draft, reason: string): Exchange {
  return { id, request: sentRequest(draft), outcome: { kind: 'not-sent', reason } };
}
