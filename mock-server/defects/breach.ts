import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { DeliveryTrouble } from '../faults/trouble.ts';
import type { Received } from '../http/received.ts';
import type { Service } from '../service.ts';
import type { Ledger } from '../workspace/ledger.ts';
import type { World } from '../world/world.ts';

/** What leaves in place of a right answer; `delivery`: and how, where it does not leave whole. */
export interface Outgoing extends Answer {
  readonly delivery?: DeliveryTrouble;
}

/** What a service with a defect does otherwise than it ought to; where a member is absent, it does nothing otherwise. */
export interface Breach {
  /** What it serves in place of the world that was asked for. */
  readonly world?: (world: World) => World;
  /**
   * Stands in front of the service: takes a request for another one, answers in its place, or throws a ServiceError.
   */
  readonly hears?: (exchange: Exchange, serve: (exchange: Exchange) => void, service: Service) => void;
  /** What it says in place of an answer, be that a completion or a refusal. */
  readonly says?: (answer: Answer, request: Received) => Outgoing;
  /** The books it keeps. */
  readonly books?: (ledger: Ledger) => Ledger;
}
