import type { JsonObject } from '../../../fixtures/chat.ts';
import { HEADERS } from '../../../fixtures/wire.ts';
import type { Judgement } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import type { Invariant } from '../invariant.ts';
import { dispositionOf } from '../reading/disposition.ts';
import type { Survey } from '../survey.ts';
import { faithfulChat } from './faithful-chat.ts';

interface Declaration extends Omit<Invariant, 'judge'> {
  /** Judges a trial of one served chat. */
  readonly holds: Judgement;
  /** Which of the faithful chats it bears on; all of them unless said. */
  readonly bears?: (chat: JsonObject) => boolean;
}

/**
 * An invariant of what every faithful chat is answered with once it is served, whichever model, key or stimulus it was
 * for. What may be another request's answer, because its Idempotency-Key was used before, is left out (IDEM-4).
 */
export function servedChatInvariant({ holds, bears = () => true, ...invariant }: Declaration): Invariant {
  return {
    ...invariant,
    judge: (survey) => {
      const used = new Set<string>();
      return (exchange) => {
        if (!isFirstUse(exchange, used)) return undefined;
        if (!isServedFaithfulChat(exchange, survey, bears)) return undefined;
        const ruling = holds({ exchanges: [exchange] }, survey);
        // That it does not bear on what came is the business of another invariant, unless a profile can change it.
        return ruling.kind === 'not-exercised' && ruling.hint === undefined ? undefined : ruling;
      };
    },
  };
}

function isServedFaithfulChat(
  exchange: Exchange,
  survey: Survey,
  bears: (chat: JsonObject) => boolean,
): boolean {
  if (exchange.armed !== undefined || dispositionOf(exchange, survey) !== 'served') return false;
  const chat = faithfulChat(exchange.request, survey);
  return chat !== undefined && bears(chat);
}

function isFirstUse({ request }: Exchange, used: Set<string>): boolean {
  const key = request.headers[HEADERS.idempotencyKey];
  if (key === undefined || used.has(key)) return false;
  used.add(key);
  return true;
}
