import { type Delivery, toUtf8 } from '../faults/deliveries.ts';
import type { Answer, ReceivedRequest } from '../protocol/answer.ts';
import type { Ledger } from '../workspace/ledger.ts';
import type { World } from '../world/world-schema.ts';
import type { Exchange } from './exchange.ts';
import type { Service } from './service.ts';

/** An answer to send; `delivery` says how, unless it is sent whole. */
export interface RewrittenAnswer extends Answer {
  readonly delivery?: Delivery;
  /** Present: its head says nothing of its length, which nobody knows yet. */
  readonly isUnmeasured?: true;
}

/** What a hook sees of its service. Each reset of a sandbox starts another service. */
export type DefectiveService = Pick<Service, 'world' | 'ledger'>;

export type Received = Pick<Exchange, 'request' | 'identity'>;

/** Calls `next` with the request or with another one, answers itself, or throws a ServiceError. */
type RequestHook = (
  received: Received,
  next: (received: Received) => Promise<Answer>,
  service: DefectiveService,
) => Answer | Promise<Answer>;

/** Returns what is sent instead of an answer, whether a completion or an error. Its body has one character for each byte. */
type ResponseHook = (answer: Answer, request: ReceivedRequest, service: DefectiveService) => RewrittenAnswer;

/** How a service with a defect differs from a faithful one. Of several, each stands before the next one. */
export interface DefectHooks {
  /** Returns the world to serve instead of the given one. */
  readonly changeWorld?: (world: World) => World;
  readonly onRequest?: RequestHook;
  readonly onResponse?: ResponseHook;
  readonly wrapLedger?: (ledger: Ledger) => Ledger;
}

export function defectiveWorld(defects: readonly DefectHooks[], world: World): World {
  return defects.reduceRight((inner, { changeWorld }) => changeWorld?.(inner) ?? inner, world);
}

export function defectiveLedger(defects: readonly DefectHooks[], ledger: Ledger): Ledger {
  return defects.reduceRight((inner, { wrapLedger }) => wrapLedger?.(inner) ?? inner, ledger);
}

/** What defects answer to a request, in front of what the faithful service answers. */
export function defectiveAnswer(exchange: Exchange, answer: (received: Received) => Promise<Answer>) {
  const { service } = exchange;
  const outermost = service.defects.reduceRight<typeof answer>(
    (next, { onRequest }) =>
      onRequest === undefined ? next : async (received) => onRequest(received, next, service),
    answer,
  );
  return outermost(exchange);
}

/** What defects send instead of an answer. Bodies have one character for each byte. */
export function rewrittenAnswer({ service, request }: Exchange, answer: Answer): RewrittenAnswer {
  const bytes = { ...answer, body: toUtf8(answer.body) };
  return service.defects.reduceRight<RewrittenAnswer>((inner, { onResponse }) => {
    const outer = onResponse?.(inner, request, service) ?? inner;
    return inner.delivery === undefined ? outer : { delivery: inner.delivery, ...outer };
  }, bytes);
}
