import { HEADERS } from '../../fixtures/wire.ts';
import { answerOf } from '../kit/reading/answer-of.ts';
import { dispositionOf } from '../kit/reading/disposition.ts';
import { isTelling } from '../kit/reading/error-members.ts';
import type { Exchange } from '../kit/exchange.ts';
import type { Invariant } from '../kit/invariant.ts';
import { readError } from '../kit/reading/read-error.ts';
import { HOLDS, type Ruling, violated } from '../kit/ruling.ts';
import type { Survey } from '../kit/survey.ts';

/** No two errors of a run bear the same request ID. */
export const requestIdUnique: Invariant = {
  id: 'request-id-unique',
  clauses: ['ERR-2'],
  title: 'gives every error a request ID that no other error has',
  because: 'an ID that two requests share identifies neither',
  judge: (survey) => {
    const owners = new Map<string, Exchange>();
    return (exchange) => {
      const id = requestIdOf(exchange, survey);
      if (id === undefined) return undefined;
      const owner = owners.get(id.value) ?? exchange;
      owners.set(id.value, owner);
      return owner === exchange || isRepeated(owner, exchange) ? HOLDS : shared(id, owner);
    };
  },
};

function requestIdOf(exchange: Exchange, survey: Survey): { value: string; pointer: string } | undefined {
  const disposition = dispositionOf(exchange, survey);
  if (disposition !== 'refused' && disposition !== 'failed') return undefined;
  const id = readError(answerOf(exchange), survey)?.requestId;
  if (typeof id !== 'object' || !isTelling(id.value)) return undefined;
  return { value: String(id.value), pointer: id.pointer };
}

/** Under one Idempotency-Key the stored answer may come back, its request ID with it (IDEM-4). */
function isRepeated(one: Exchange, other: Exchange): boolean {
  const key = one.request.headers[HEADERS.idempotencyKey];
  return key !== undefined && key === other.request.headers[HEADERS.idempotencyKey];
}

function shared(id: { value: string; pointer: string }, owner: Exchange): Ruling {
  const actual = `${JSON.stringify(id.value).slice(0, 60)}, which ${owner.id} had before`;
  return violated('shared-request-id', 'a request ID of its own', actual, id.pointer);
}
