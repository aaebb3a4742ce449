import type { ArmedFault, Exchange, SentRequest } from '../model/exchange.ts';
import { endedEntry, sentEntry, withheldEntry } from '../journal/codecs.ts';
import type { RunOptions } from '../model/run.ts';

type Keepers = Pick<RunOptions, 'signal' | 'journal' | 'onExchange'>;

/** What is written down of every request, in memory and in the journal, and whether there may be any more. */
export class RunRecord {
  /** In the order of their ends. */
  readonly exchanges: Exchange[] = [];
  readonly #keepers: Keepers;

  constructor(keepers: Keepers) {
    this.#keepers = keepers;
  }

  /** Why nothing more may leave, whatever it costs; undefined while all is well. */
  get closed(): string | undefined {
    const { journal, signal } = this.#keepers;
    return journal?.failure() ?? (signal?.aborted === true ? 'the run was interrupted' : undefined);
  }

  /** To be called before the first byte leaves. */
  begin(id: string, request: SentRequest, armed: ArmedFault | undefined): void {
    this.#keepers.journal?.append(sentEntry(id, request, armed));
  }

  /** `withheld`: why the request never left; undefined for one that began. */
  end(exchange: Exchange, withheld: string | undefined): void {
    const { journal, onExchange } = this.#keepers;
    this.exchanges.push(exchange);
    journal?.append(withheld === undefined ? endedEntry(exchange) : withheldEntry(exchange, withheld));
    onExchange?.(exchange);
  }

  show(idempotencyKey: string): void {
    this.#keepers.journal?.append({ type: 'shown', idempotencyKey });
  }
}
