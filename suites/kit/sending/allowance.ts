import { type Draft, isChargeable } from '../model/exchange.ts';
import type { Cost } from '../model/stimulus.ts';
import { requestFingerprint, askedOutput } from './sent-request.ts';

/** A stimulus sends more than it declares: a failure of ours. */
class CostExceeded extends Error {
  override readonly name = 'CostExceeded';
}

/** What one draw may still send: detects a wrong declaration of its cost. */
export class Allowance {
  readonly #cost: Cost;
  readonly #outputTokens: number;
  #reads: number;
  #chats: number;
  #open: number;
  #exceeded: CostExceeded | undefined;

  /** `outputTokens`: the most that a chat asks for unless its stimulus declares more. */
  constructor(cost: Cost, outputTokens: number) {
    this.#cost = cost;
    this.#outputTokens = Math.max(outputTokens, cost.outputTokens ?? 0);
    this.#reads = cost.reads ?? 0;
    this.#chats = (cost.refused ?? 0) + (cost.served ?? 0);
    this.#open = cost.open ?? 0;
  }

  /** Takes the cost of a request. Throws when not enough is left. */
  take(draft: Draft): void {
    if (!isChargeable(draft)) return this.#hold((this.#reads -= 1), 'a request');
    this.#hold((this.#chats -= 1), 'a chat');
    if (exceedsOutputCap(draft, this.#outputTokens))
      this.#hold((this.#open -= 1), 'a chat with unbounded output');
  }

  /** Throws given a counterpart that was not declared. */
  takeCounterpart(draft: Draft): void {
    const fingerprint = requestFingerprint(draft);
    const isDeclared =
      this.#cost.counterparts?.some((counterpart) => requestFingerprint(counterpart) === fingerprint) ===
      true;
    this.#hold(isDeclared ? 0 : -1, 'a counterpart');
  }

  /** Rethrows an error that the stimulus caught. */
  close(): void {
    if (this.#exceeded !== undefined) throw this.#exceeded;
  }

  #hold(left: number, what: string): void {
    if (left >= 0) return;
    const exceeded = new CostExceeded(`it sends ${what} more than its declared cost`);
    this.#exceeded ??= exceeded;
    throw exceeded;
  }
}

/** Whether a chat asks for more output than the cap, or for no maximum. */
export function exceedsOutputCap({ body }: Pick<Draft, 'body'>, outputTokens: number): boolean {
  const asked = askedOutput(body);
  return asked === 0 || asked > outputTokens;
}
