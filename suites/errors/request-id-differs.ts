import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import type { Invariant, RunJudge } from '../kit/model/invariant.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { dispositionOf } from '../kit/reading/errors/disposition.ts';
import { isCodeOrId } from '../kit/reading/errors/error-members.ts';
import { readError } from '../kit/reading/errors/read-error.ts';
import { readJson, valueAt } from '../kit/reading/json.ts';

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
