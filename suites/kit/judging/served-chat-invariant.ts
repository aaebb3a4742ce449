import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Judgement } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Invariant } from '../model/invariant.ts';
import { dispositionOf } from '../reading/disposition.ts';
import type { Survey } from '../model/target-info.ts';
import { faithfulChat } from './faithful-chat.ts';

interface Declaration extends Omit<Invariant, 'judge'> {
  /** Judges a trial of one served chat. */
  readonly holds: Judgement;
}

/**
 * An invariant of what every faithful chat is answered with once it is served, whichever model, key or stimulus it was
 * for. What may be another request's answer, because its Idempotency-Key was used before, is left out (IDEM-4).
 */
export function servedChatInvariant({ holds, ...invariant }: Declaration): Invariant {
  return {
    ...invariant,
    judge: (survey) => {
      const used = new Set<string>();
      return (exchange) => {
        if (!isFirstUse(exchange, used)) return undefined;
        if (!isServedFaithfulChat(exchange, survey)) return undefined;
        const ruling = holds({ exchanges: [exchange] }, survey);
        // That it does not bear on what came is the business of another invariant, unless a profile can change it.
        return ruling.kind === 'not-exercised' && ruling.hint === undefined ? undefined : ruling;
      };
    },
  };
}

function isServedFaithfulChat(exchange: Exchange, survey: Survey): boolean {
  if (exchange.armed !== undefined || dispositionOf(exchange, survey) !== 'served') return false;
  return faithfulChat(exchange.request, survey) !== undefined;
}

function isFirstUse({ request }: Exchange, used: Set<string>): boolean {
  const key = request.headers[HEADERS.idempotencyKey];
  if (key === undefined || used.has(key)) return false;
  used.add(key);
  return true;
}
