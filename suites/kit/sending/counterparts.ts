import { type Draft, isChargeable } from '../model/draft.ts';
import type { Exchange } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import { requestFingerprint } from './sent-request.ts';

/** How a counterpart leaves, and how it is written down that it does not. */
interface Way {
  readonly send: (id: string, draft: Draft) => Promise<Exchange>;
  readonly withhold: (id: string, draft: Draft, reason: string) => Exchange;
}

/** The counterparts of a run: equal ones are sent once, and completions only where the run asks for any. */
export class Counterparts {
  readonly #way: Way;
  readonly #withholds: RunOptions['withholds'];
  readonly #most: number;
  readonly #known = new Map<string, Promise<Exchange>>();

  /** `most`: how many different ones are sent. */
  constructor(way: Way, withholds: RunOptions['withholds'], most: number) {
    this.#way = way;
    this.#withholds = withholds;
    this.#most = most;
  }

  /** The exchange of a counterpart, sent now or before. */
  exchange(draft: Draft): Promise<Exchange> {
    const print = requestFingerprint(draft);
    const known = this.#known.get(print);
    if (known !== undefined) return known;
    const exchange = this.#first(`control/${print}`, draft);
    this.#known.set(print, exchange);
    return exchange;
  }

  async #first(id: string, draft: Draft): Promise<Exchange> {
    if (this.#withholds === 'completions' && isChargeable(draft))
      return this.#way.withhold(id, draft, COUNTERPART_WITHHELD);
    if (this.#known.size >= this.#most)
      return this.#way.withhold(id, draft, 'the target lists more than was planned for');
    return this.#way.send(id, draft);
  }
}

/** Why a counterpart that is a completion was not sent. */
export const COUNTERPART_WITHHELD = 'it is a completion, and this run asks for none';

/** Whether it is a counterpart that was not sent because its run asks for no completions. */
export function isWithheldCounterpart({ outcome }: Exchange): boolean {
  return outcome.kind === 'not-sent' && outcome.reason === COUNTERPART_WITHHELD;
}
