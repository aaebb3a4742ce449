import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import type { Invariant, RunJudge } from '../engine/model/invariant.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
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

/** So many different requests whose errors agree in every place where the request ID may be. */
const MANY = 3;

/** The request ID of one error, and everything else in it that may be one. */
interface Candidates {
  readonly exchange: Exchange;
  readonly pointer: string;
  readonly id: string;
  readonly others: readonly string[];
}

/** What is the same in every error, and all that may stand in its place, identifies no request. */
export const requestIdDiffers: Invariant = {
  id: 'request-id-differs',
  clauses: ['ERR-1', 'ERR-2'],
  title: 'puts something into errors that differs from request to request',
  ofWholeRun: true,
  judge: () => () => undefined,
  ofRun: (info) => {
    const all: Candidates[] = [];
    return { note: (exchange) => all.push(...candidatesIn(exchange, info)), rulings: () => judgeAll(all) };
  },
};

function judgeAll(all: readonly Candidates[]): ReturnType<RunJudge['rulings']> {
  const [first] = all;
  const keys = new Set(all.map(({ exchange }) => exchange.request.headers[HEADERS.idempotencyKey]));
  if (first === undefined || keys.size < MANY) return [];
  const isSame = all.every(({ id, others }) => id === first.id && others.join() === first.others.join());
  if (!isSame) return [[first.exchange, HOLDS]];
  const actual = `${first.id.slice(0, 60)} in all ${all.length} errors`;
  return all.map(({ exchange, pointer }) => [
    exchange,
    violated('constant-request-id', 'a request ID of its own', actual, pointer),
  ]);
}

function candidatesIn(exchange: Exchange, info: TargetInfo): readonly Candidates[] {
  const { outcome } = exchange;
  if (outcome.kind !== 'answered') return [];
  const disposition = dispositionOf(exchange, info);
  if (disposition !== 'refused' && disposition !== 'failed') return [];
  const error = readError(outcome.answer, info);
  const body = readJson(outcome.answer);
  if (error === undefined || body.kind === 'no-json' || typeof error.requestId !== 'object') return [];
  const { pointer, value } = error.requestId;
  if (!isCodeOrId(value)) return [];
  const others = [...error.otherCandidates, ...error.unknownMembers];
  return [
    {
      exchange,
      pointer,
      id: JSON.stringify(value),
      others: others.map((each) => JSON.stringify(valueAt(body.value, each))),
    },
  ];
}
