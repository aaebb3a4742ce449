import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { dispositionOf } from '../kit/reading/errors/disposition.ts';
import { isCodeOrId } from '../kit/reading/errors/error-members.ts';
import { readError } from '../kit/reading/errors/read-error.ts';
import { exactText, jsonText } from '../kit/reading/json.ts';

/** No two errors of a run have the same request ID. */
export const requestIdUnique: Invariant = {
  id: 'request-id-unique',
  clauses: ['ERR-2'],
  title: 'gives every error its own request ID',
  because: 'an ID that two requests share identifies neither',
  judge: (info) => {
    const owners = new Map<string, Exchange>();
    return (exchange) => {
      const id = requestIdOf(exchange, info);
      if (id === undefined || id === 'unrecognised') return id && UNRECOGNISED;
      const owner = owners.get(id.value) ?? exchange;
      owners.set(id.value, owner);
      return owner === exchange || isRepeated(owner, exchange) ? HOLDS : shared(id, owner);
    };
  },
};

const UNRECOGNISED = notExercised(
  'no request ID was recognised in the error object',
  'pin "error.request_id" in a profile',
);

interface RequestId {
  readonly value: string;
  readonly pointer: string;
  /** Where else the request ID may be. */
  readonly otherCandidates: readonly string[];
}

function requestIdOf(exchange: Exchange, info: TargetInfo): RequestId | 'unrecognised' | undefined {
  const disposition = dispositionOf(exchange, info);
  if (disposition !== 'refused' && disposition !== 'failed') return undefined;
  const answer = answerOf(exchange);
  const error = readError(answer, info);
  const id = error?.requestId;
  if (id === 'unrecognised') return id;
  // Stryker disable next-line ConditionalExpression,LogicalExpression: only narrows the type: other shapes lead to the same result
  if (error === undefined || typeof id !== 'object' || !isCodeOrId(id.value)) return undefined;
  const value = exactText(answer, id.pointer) ?? String(id.value);
  return { value, pointer: id.pointer, otherCandidates: error.otherCandidates };
}

/** With the same Idempotency-Key the stored answer, with its request ID, may come back (IDEM-4). */
function isRepeated(one: Exchange, other: Exchange): boolean {
  const key = one.request.headers[HEADERS.idempotencyKey];
  return key !== undefined && key === other.request.headers[HEADERS.idempotencyKey];
}

/** Where another member can be the request ID, the shared value may be something else, such as a path. */
function shared({ value, pointer, otherCandidates }: RequestId, owner: Exchange): Ruling {
  const actual = `${jsonText(value).slice(0, 60)}, as in ${owner.id}`;
  if (otherCandidates.length === 0)
    return violated('shared-request-id', 'a unique request ID', actual, pointer);
  return notExercised(
    `the request ID may be at ${pointer} (where errors share a value) or at ${otherCandidates.join(', ')}`,
    'pin "error.request_id" in a profile',
  );
}
