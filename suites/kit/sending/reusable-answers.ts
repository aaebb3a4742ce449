import { type Draft, type Exchange, isChargeable } from '../model/exchange.ts';
import { requestFingerprint } from './sent-request.ts';

/**
 * The answers to the chats of a run. Where every request counts, one that must be refused for the same reason in two
 * checks is sent once.
 */
export class ReusableAnswers {
  readonly #known = new Map<string, Exchange>();

  note(draft: Draft, exchange: Exchange): void {
    if (isChargeable(draft) && isPlain(draft) && exchange.outcome.kind === 'answered')
      this.#known.set(keyOf(draft), exchange);
  }

  answerTo(draft: Draft): Exchange | undefined {
    return draft.mayReuse === true ? this.#known.get(keyOf(draft)) : undefined;
  }
}

/** Nothing was armed for it, and its Idempotency-Key is fresh. */
function isPlain({ armed, idempotencyKey = 'fresh' }: Draft): boolean {
  return armed === undefined && idempotencyKey === 'fresh';
}

function keyOf(draft: Draft): string {
  return `${requestFingerprint(draft)} ${JSON.stringify(draft.headers)}`;
}
