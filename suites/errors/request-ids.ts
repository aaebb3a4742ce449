import { HEADERS } from '../../fixtures/chats/chat.ts';
import type { Invariant, RunJudge } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { exactText, jsonText, readJson, valueAt } from '../engine/reading/json.ts';
import { isCodeOrId } from '../engine/reading/points.ts';

/** No two errors of a run have the same request ID. */
export const requestIdUnique: Invariant = {
  id: 'request-id-unique',
  clauses: ['ERR-2'],
  title: 'gives every error its own request ID',
  decides: 'has request IDs that differ',
  because: 'an ID that two requests share identifies neither',
  ofWholeRun: true,
  judge: (info) => {
    const owners = new Map<string, ErrorId>();
    return (exchange) => {
      const id = errorIdIn(exchange, info);
      if (id === undefined || id === 'unrecognised') return id && UNRECOGNISED;
      const owner = owners.get(id.exact) ?? id;
      owners.set(id.exact, owner);
      return owner === id || isRepeated(owner.exchange, exchange) ? HOLDS : shared(id, owner);
    };
  },
};

const UNRECOGNISED = notExercised(
  'no request ID was recognised in the error object',
  'pin "error.request_id" in a profile',
);

/** The request ID of one error. */
interface ErrorId {
  readonly exchange: Exchange;
  readonly pointer: string;
  /** With every digit. */
  readonly exact: string;
  /** Where else the request ID may be, by a known name. */
  readonly otherCandidates: readonly string[];
  /** Everything in the error that may be one, and what stands there. */
  readonly held: readonly string[];
}

function errorIdIn(exchange: Exchange, info: TargetInfo): ErrorId | 'unrecognised' | undefined {
  const { outcome } = exchange;
  if (outcome.kind !== 'answered') return undefined;
  const disposition = dispositionOf(exchange, info);
  if (disposition !== 'refused' && disposition !== 'failed') return undefined;
  const { answer } = outcome;
  const [error, body] = [readError(answer, info), readJson(answer)];
  const id = error?.requestId;
  if (id === 'unrecognised') return id;
  if (error === undefined || body.kind === 'no-json' || typeof id !== 'object' || !isCodeOrId(id.value))
    return undefined;
  const { otherCandidates, unknownMembers } = error;
  const { pointer, value } = id;
  const held = [pointer, ...otherCandidates, ...unknownMembers].map((each) =>
    JSON.stringify(valueAt(body.value, each)),
  );
  return { exchange, pointer, exact: exactText(answer, pointer) ?? String(value), otherCandidates, held };
}

/** With the same Idempotency-Key the stored answer, with its request ID, may come back (IDEM-4). */
function isRepeated(one: Exchange, other: Exchange): boolean {
  const key = one.request.headers[HEADERS.idempotencyKey];
  return key !== undefined && key === other.request.headers[HEADERS.idempotencyKey];
}

/** Where another member can be the request ID, the shared value may be something else, such as a path. */
function shared({ exact, pointer, otherCandidates }: ErrorId, owner: ErrorId): Ruling {
  const actual = `${jsonText(exact).slice(0, 60)}, as in ${owner.exchange.id}`;
  if (otherCandidates.length === 0)
    return violated('shared-request-id', 'a unique request ID', actual, pointer);
  return notExercised(
    `the request ID may be at ${pointer} (where errors share a value) or at ${otherCandidates.join(', ')}`,
    'pin "error.request_id" in a profile',
  );
}

/** So many different requests whose errors agree in every place where the request ID may be. */
const MANY = 3;

/** What is the same in every error, and all that may stand in its place, identifies no request. */
export const requestIdDiffers: Invariant = {
  id: 'request-id-differs',
  clauses: ['ERR-1', 'ERR-2'],
  title: 'puts something into errors that differs from request to request',
  ofWholeRun: true,
  judge: () => () => undefined,
  ofRun: (info) => {
    const all: ErrorId[] = [];
    return {
      note: (exchange) => {
        const id = errorIdIn(exchange, info);
        if (typeof id === 'object') all.push(id);
      },
      rulings: () => judgeAll(all),
    };
  },
};

function judgeAll(all: readonly ErrorId[]): ReturnType<RunJudge['rulings']> {
  const [first] = all;
  const keys = new Set(all.map(({ exchange }) => exchange.request.headers[HEADERS.idempotencyKey]));
  if (first === undefined || keys.size < MANY) return [];
  if (new Set(all.map(({ held }) => held.join())).size > 1) return [[first.exchange, HOLDS]];
  const actual = `${first.held[0]?.slice(0, 60)} in all ${all.length} errors`;
  return all.map(({ exchange, pointer }) => [
    exchange,
    violated('constant-request-id', 'a request ID of its own', actual, pointer),
  ]);
}
