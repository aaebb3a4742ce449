import type { Cost } from '../model/cost.ts';
import { type Draft, isChargeable } from '../model/draft.ts';
import { requestFingerprint, askedOutput } from './sent-request.ts';

/** A stimulus sent more than it declared: a failure of ours. */
class CostExceeded extends Error {
  override readonly name = 'CostExceeded';
}

/** What one draw may still send, so that no declaration of a cost is wrong without being noticed. */
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

  /** Takes what a request costs. Throws when there is nothing left for it. */
  take(draft: Draft): void {
    if (!isChargeable(draft)) return this.#hold((this.#reads -= 1), 'a request');
    this.#hold((this.#chats -= 1), 'a chat');
    if (isOpen(draft, this.#outputTokens)) this.#hold((this.#open -= 1), 'a chat of unbounded output');
  }

  /** Throws for a counterpart that was not declared. */
  takeCounterpart(draft: Draft): void {
    const print = requestFingerprint(draft);
    const isDeclared =
      this.#cost.counterparts?.some((counterpart) => requestFingerprint(counterpart) === print) === true;
    this.#hold(isDeclared ? 0 : -1, 'a counterpart');
  }

  /** Throws again what was thrown to somebody who took it for something else. */
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

/** Whether nothing that was declared bounds the output a chat asks for. */
export function isOpen({ body }: Pick<Draft, 'body'>, outputTokens: number): boolean {
  const asked = askedOutput(body);
  return asked === 0 || asked > outputTokens;
}
