import { type Draft, isChargeable, type Exchange } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import { requestFingerprint } from './sent-request.ts';

/** How a counterpart is sent, or recorded as not sent. */
interface CounterpartSender {
  readonly send: (id: string, draft: Draft) => Promise<Exchange>;
  readonly withhold: (id: string, draft: Draft, reason: string) => Exchange;
  /** The exchange as the run keeps it. */
  readonly kept: (exchange: Exchange) => Exchange;
}

/** Waits for what another draw has sent: who waits holds no place meanwhile. */
export type WhileWaiting = <T>(sent: Promise<T>) => Promise<T>;

/** The counterparts of a run: equal ones are sent once, and completions only where the run allows any. */
export class Counterparts {
  readonly #sender: CounterpartSender;
  readonly #withholds: RunOptions['withholds'];
  /** Those that are under way, and those that are not any more. */
  readonly #known = new Map<string, Promise<Exchange> | Exchange>();

  constructor(sender: CounterpartSender, withholds: RunOptions['withholds']) {
    this.#sender = sender;
    this.#withholds = withholds;
  }

  /** Sends it, unless an equal one was sent before. */
  async exchange(draft: Draft, whileWaiting: WhileWaiting = (sent) => sent): Promise<Exchange> {
    const fingerprint = requestFingerprint(draft);
    const known = this.#known.get(fingerprint);
    if (known instanceof Promise) return whileWaiting(known);
    if (known !== undefined) return known;
    const exchange = this.#first(draft);
    this.#known.set(fingerprint, exchange);
    const kept = this.#sender.kept(await exchange);
    this.#known.set(fingerprint, kept);
    return exchange;
  }

  async #first(draft: Draft): Promise<Exchange> {
    const id = `control/${requestFingerprint(draft)}`;
    if (this.#withholds === 'completions' && isChargeable(draft))
      return this.#sender.withhold(id, draft, COUNTERPART_WITHHELD);
    return this.#sender.send(id, draft);
  }
}

export const COUNTERPART_WITHHELD = 'it would be a completion, and this run allows none';

/** Whether it is a counterpart that was not sent because the run allows no completions. */
export function isWithheldCounterpart({ outcome }: Exchange): boolean {
  return outcome.kind === 'not-sent' && outcome.reason === COUNTERPART_WITHHELD;
}
