import type { Phase } from '../faults/phases.ts';
import type { Caller } from '../world/caller.ts';
import type { AcceptedChat } from '../chat/accept-chat.ts';
import type { Endpoint } from '../protocol/request.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { LedgerChange } from '../workspace/ledger.ts';
import type { FaultPlan, FaultMatch, Subject } from '../faults/fault-plan.ts';
import type { Rule } from '../faults/rule.ts';
import {
  type DeliveryFault,
  isDeliveryFault,
  isProcessingFault,
  type ProcessingFault,
  type Fault,
} from '../faults/fault.ts';

/** A rule that a request brought along, and how. */
interface Requested {
  readonly ruleId: 'header' | 'model';
  readonly rule: Rule;
}

/**
 * A request's way through the phases, watched: what is known of it so far, and what strikes it. Only a request that
 * can meet a fault, or that a journal tells of, has one.
 */
export class RequestFaults {
  readonly #plan: FaultPlan;
  readonly #record: JournalRecord | undefined;
  readonly #requested: Requested[] = [];
  #subject: Subject;
  #isLost = false;

  constructor(plan: FaultPlan, record: JournalRecord | undefined, requestId: string) {
    this.#plan = plan;
    this.#record = record;
    this.#subject = { requestId };
  }

  routed(endpoint: Endpoint): void {
    this.#subject = { ...this.#subject, endpoint };
    this.#record?.routed(endpoint);
  }

  authenticated({ name: key }: Caller): void {
    this.#subject = { ...this.#subject, key };
    this.#record?.authenticated(key);
  }

  accepted({ modelId: model, stream, fault }: AcceptedChat): void {
    this.#subject = { ...this.#subject, model, stream };
    if (fault !== null) this.#requested.push({ ruleId: 'model', rule: fault });
  }

  /** What a header of the request asks for comes before the plan, as what its model ID asks for does. */
  request(rule: Rule): void {
    this.#requested.push({ ruleId: 'header', rule });
  }

  /** The fault that strikes at a phase, if one does. A request whose answer is lost meets no other. */
  faultAt(phase: Exclude<Phase, 'inside-body'>): ProcessingFault | undefined {
    const fault = this.#strike(phase);
    return fault === undefined || isProcessingFault(fault) ? fault : undefined;
  }

  /** The fault that strikes inside the body. */
  deliveryFault(): DeliveryFault | undefined {
    const fault = this.#strike('inside-body');
    return fault === undefined || isDeliveryFault(fault) ? fault : undefined;
  }

  #strike(phase: Phase): Fault | undefined {
    this.#record?.reached(phase);
    if (this.#isLost) return undefined;
    const firing = this.#requestedAt(phase) ?? this.#plan.match(phase, this.#subject);
    if (firing === undefined) return undefined;
    const { ruleId, fault } = firing;
    this.#record?.triggered({ rule: ruleId, fault: fault.fault, phase });
    this.#isLost = 'outcome' in fault;
    return fault;
  }

  /** Tells the journal what the ledger has just written. */
  recordLedgerChange(latest: () => LedgerChange): void {
    this.#record?.changed(latest());
  }

  #requestedAt(phase: Phase): FaultMatch | undefined {
    const found = this.#requested.find(({ rule }) => rule.phase === phase);
    return found === undefined ? undefined : { ruleId: found.ruleId, fault: found.rule.fault };
  }
}
