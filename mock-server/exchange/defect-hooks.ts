import type { DeliveryFault } from '../faults/fault.ts';
import type { Ledger } from '../workspace/ledger.ts';
import type { World } from '../world/world.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Exchange } from './exchange.ts';
import type { ReceivedRequest } from '../protocol/request.ts';

/** An answer as it leaves; `delivery` says how, unless it leaves whole. */
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

/** Returns what leaves in place of an answer, be that a completion or an error. */
export type ResponseHook = (
  answer: Answer,
  request: ReceivedRequest,
  service: DefectiveService,
) => RewrittenAnswer;

/** Where a service with a defect differs from a faithful one. */
export interface DefectHooks {
  /** Returns the world to serve in place of the one that was asked for. */
  readonly changeWorld?: (world: World) => World;
  readonly onRequest?: RequestHook;
  readonly onResponse?: ResponseHook;
  readonly wrapLedger?: (ledger: Ledger) => Ledger;
}
