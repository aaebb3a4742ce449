import { endedEntry, sentEntry, withheldEntry } from '../journal/entries.ts';
import type { ArmedFault, Exchange, SentRequest } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';

type RecordOptions = Pick<RunOptions, 'signal' | 'journal' | 'onExchange'>;

/** Records every request, in memory and in the journal, and decides whether more may be sent. */
export class RunRecord {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  readonly #options: RecordOptions;

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  /** Why no request is sent any more; undefined while requests are sent. */
  get closed(): string | undefined {
    const { journal, signal } = this.#options;
    return journal?.failure() ?? (signal?.aborted === true ? 'the run was interrupted' : undefined);
  }

  /** Call it before the first byte leaves. */
  begin(id: string, request: SentRequest, armed: ArmedFault | undefined): void {
    this.#options.journal?.append(sentEntry(id, request, armed));
  }

  /** `withheld`: why the request was never sent; undefined for one that began. */
  end(exchange: Exchange, withheld: string | undefined): void {
    const { journal, onExchange } = this.#options;
    this.exchanges.push(exchange);
    journal?.append(withheld === undefined ? endedEntry(exchange) : withheldEntry(exchange, withheld));
    onExchange?.(exchange);
  }

  /** The workspace has shown the outcome of the request with this key. */
  show(idempotencyKey: string): void {
    this.#options.journal?.append({ type: 'shown', idempotencyKey });
  }
}
