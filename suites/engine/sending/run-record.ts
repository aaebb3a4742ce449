import { sentEntry } from '../journal/entries.ts';
import { KeptBodies } from '../journal/kept-bodies.ts';
import type { ArmedFault, Exchange, SentRequest } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { RunEnd } from './run-end.ts';

type RecordOptions = Pick<RunOptions, 'journal' | 'onExchange' | 'keptBytes'>;

/** Records every request, in memory and in the journal, and decides whether more may be sent. */
export class RunRecord {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  readonly #options: RecordOptions;
  readonly #end: Pick<RunEnd, 'reason'>;
  readonly #bodies: KeptBodies;
  /** Of those that the record does not keep whole. */
  readonly #kept = new WeakMap<Exchange, Exchange>();

  constructor(options: RecordOptions, end: Pick<RunEnd, 'reason'>) {
    this.#options = options;
    this.#end = end;
    this.#bodies = new KeptBodies(options.keptBytes);
  }

  /** Why no request is sent any more; undefined while requests are sent. */
  get closed(): string | undefined {
    const { reason } = this.#end;
    const ended = reason === 'interrupted' ? 'the run was interrupted' : reason;
    return this.#options.journal?.failure() ?? ended;
  }

  /** Call it before the first byte leaves. */
  begin(id: string, request: SentRequest, armed: ArmedFault | undefined): void {
    this.#options.journal?.append(sentEntry(id, request, armed));
  }

  /** Returns the same exchange. `withheld`: why the request was never sent; undefined for one that began. */
  end(exchange: Exchange, withheld: string | undefined): Exchange {
    const { journal, onExchange } = this.#options;
    const kept = this.#bodies.keep(exchange);
    if (kept !== exchange) this.#kept.set(exchange, kept);
    const { id, request, outcome } = kept;
    journal?.append(
      withheld === undefined
        ? { type: 'ended', id, outcome }
        : { type: 'withheld', id, request, reason: withheld },
    );
    this.exchanges.push(kept);
    onExchange?.(exchange);
    return exchange;
  }

  /** The exchange as the record has it, once it is judged: a run has no room for all bodies. */
  kept(exchange: Exchange): Exchange {
    return this.#kept.get(exchange) ?? exchange;
  }

  /** The workspace has shown the outcome of the request with this key. */
  show(idempotencyKey: string): void {
    this.#options.journal?.append({ type: 'shown', idempotencyKey });
  }
}
