import type { DeliveryFault } from '../faults/fault.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { Ledger } from '../workspace/ledger.ts';
import type { World } from '../world/world.ts';
import type { Exchange } from './exchange.ts';

/** An answer to send; `delivery` says how, unless it is sent whole. */
export interface RewrittenAnswer extends Answer {
  readonly delivery?: DeliveryFault;
}

/** What a hook sees of its service. Each reset of a sandbox starts another service. */
export interface DefectiveService {
  readonly world: World;
  readonly ledger: Ledger;
}

/** Calls `next` with the request or with another one, replies itself, or throws a ServiceError. */
export type RequestHook = (
  exchange: Exchange,
  next: (exchange: Exchange) => void,
  service: DefectiveService,
) => void;

/** Returns what is sent instead of an answer, whether a completion or an error. */
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
