import type { Delivery } from '../faults/fault.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { Ledger } from '../workspace/ledger.ts';
import type { World } from '../world/world.ts';
import type { Exchange } from './exchange.ts';

/** An answer to send; `delivery` says how, unless it is sent whole. */
export interface RewrittenAnswer extends Answer {
  readonly delivery?: Delivery;
  /** Present: its head says nothing of its length, which nobody knows yet. */
  readonly isUnmeasured?: true;
}

/** What a hook sees of its service. Each reset of a sandbox starts another service. */
export interface DefectiveService {
  readonly world: World;
  readonly ledger: Ledger;
}

/** Calls `next` with the request or with another one, answers itself, or throws a ServiceError. */
export type RequestHook = (
  exchange: Exchange,
  next: (exchange: Exchange) => Promise<Answer>,
  service: DefectiveService,
) => Answer | Promise<Answer>;

/** Returns what is sent instead of an answer, whether a completion or an error. Its body has one character for each byte. */
export type ResponseHook = (
  answer: Answer,
  request: ReceivedRequest,
  service: DefectiveService,
) => RewrittenAnswer;

/** How a service with a defect differs from a faithful one. */
export interface DefectHooks {
  /** Returns the world to serve instead of the given one. */
  readonly changeWorld?: (world: World) => World;
  readonly onRequest?: RequestHook;
  readonly onResponse?: ResponseHook;
  readonly wrapLedger?: (ledger: Ledger) => Ledger;
}

/** A service that has both: the second stands behind the first, nearer to the faithful service. */
export function bothDefects(first: DefectHooks, second: DefectHooks): DefectHooks {
  return {
    changeWorld: (world) => changedBy(first, changedBy(second, world)),
    onRequest: (exchange, next, service) =>
      requestThrough(
        first,
        exchange,
        async (passed) => requestThrough(second, passed, next, service),
        service,
      ),
    onResponse: (answer, request, service) => {
      const inner: RewrittenAnswer = second.onResponse?.(answer, request, service) ?? answer;
      const outer: RewrittenAnswer = first.onResponse?.(inner, request, service) ?? inner;
      return inner.delivery === undefined ? outer : { delivery: inner.delivery, ...outer };
    },
    wrapLedger: (ledger) => ledgerOf(first, ledgerOf(second, ledger)),
  };
}

function changedBy({ changeWorld }: DefectHooks, world: World): World {
  return changeWorld?.(world) ?? world;
}

function requestThrough(
  { onRequest }: DefectHooks,
  ...call: Parameters<RequestHook>
): ReturnType<RequestHook> {
  const [exchange, next] = call;
  return onRequest === undefined ? next(exchange) : onRequest(...call);
}

function ledgerOf({ wrapLedger }: DefectHooks, ledger: Ledger): Ledger {
  return wrapLedger?.(ledger) ?? ledger;
}
