import { AnswerBodies } from '../journal/answer-bodies.ts';
import { endedEntry, sentEntry, withheldEntry } from '../journal/entries.ts';
import type { ArmedFault, Exchange, SentRequest } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { RunEnd } from './run-end.ts';

type RecordOptions = Pick<RunOptions, 'journal' | 'onExchange' | 'heldBytes'>;

/** Records every request, in memory and in the journal, and decides whether more may be sent. */
export class RunRecord {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  readonly #options: RecordOptions;
  readonly #end: Pick<RunEnd, 'reason'>;
  readonly #bodies: AnswerBodies;

  constructor(options: RecordOptions, end: Pick<RunEnd, 'reason'>) {
    this.#options = options;
    this.#end = end;
    this.#bodies = new AnswerBodies(options.heldBytes);
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

  /**
   * Returns the exchange whose body does not stay in memory. `withheld`: why the request was never sent; undefined for one
   * that began.
   */
  end(exchange: Exchange, withheld: string | undefined): Exchange {
    const { journal, onExchange } = this.#options;
    journal?.append(withheld === undefined ? endedEntry(exchange) : withheldEntry(exchange, withheld));
    const kept = { ...exchange, outcome: this.#bodies.keepOutcome(exchange.outcome, journal?.last?.()) };
    this.exchanges.push(kept);
    onExchange?.(kept);
    return kept;
  }

  /** Call it once nothing is read from the record any more. */
  close(): void {
    this.#bodies.close();
  }

  /** The workspace has shown the outcome of the request with this key. */
  show(idempotencyKey: string): void {
    this.#options.journal?.append({ type: 'shown', idempotencyKey });
  }
}
