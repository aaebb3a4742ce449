import type { Phase, ProcessingPhase } from '../faults/catalogue/phases.ts';
import type { FaultMatch, FaultPlan, Subject } from '../faults/fault-plan.ts';
import {
  type DeliveryFault,
  type Fault,
  isDeliveryFault,
  isProcessingFault,
  type ProcessingFault,
} from '../faults/fault.ts';
import type { Rule } from '../faults/rule.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { Endpoint } from '../protocol/request.ts';
import type { LedgerChange } from '../workspace/ledger.ts';

/** Compiles the fault that a request asks for. Loaded only where one can: its schema costs start-up time. */
export type RequestedFaultCompiler = Pick<
  typeof import('../faults/requested-fault.ts'),
  'faultOfHeader' | 'faultOfModel'
>;

/** A rule that the request itself carries. */
interface RequestedRule {
  readonly ruleId: 'header' | 'model';
  readonly rule: Rule;
}

/**
 * The faults of one request: what is known of the request so far, and which fault triggers at each phase. Also tells
 * the journal. Only a request that can meet a fault, or that a journal records, has one.
 */
export class RequestFaults {
  readonly #plan: FaultPlan;
  readonly #record: JournalRecord | undefined;
  readonly #requested: RequestedRule[] = [];
  #compiler: RequestedFaultCompiler | undefined;
  #subject: Subject;
  #isLost = false;

  /** `connection`: equal for all requests of one connection. */
  constructor(plan: FaultPlan, record: JournalRecord | undefined, requestId: string, connection?: object) {
    this.#plan = plan;
    this.#record = record;
    this.#subject = { requestId, ...(connection && { connection }) };
  }

  routed(endpoint: Endpoint): void {
    this.#subject = { ...this.#subject, endpoint };
    this.#record?.routed(endpoint);
  }

  /** `key` is the name of the key. */
  authenticated(key: string): void {
    this.#subject = { ...this.#subject, key };
    this.#record?.authenticated(key);
  }

  accepted(model: string, stream: boolean): void {
    this.#subject = { ...this.#subject, model, stream };
    this.#record?.accepted(model, stream);
  }

  /** From here on the request can ask for faults, which precede the plan. */
  compileWith(compiler: RequestedFaultCompiler): void {
    this.#compiler = compiler;
  }

  /** Throws `invalid_fault`. */
  requestByHeader(text: string, endpoint: Endpoint): void {
    const rule = this.#compiler?.faultOfHeader(text, endpoint);
    if (rule !== undefined) this.#requested.push({ ruleId: 'header', rule });
  }

  /** Whether the ID is a reserved one, which asks for a fault. Throws `invalid_fault`. */
  requestByModel(modelId: string): boolean {
    const rule = this.#compiler?.faultOfModel(modelId) ?? null;
    if (rule !== null) this.#requested.push({ ruleId: 'model', rule });
    return rule !== null;
  }

  /** The fault that triggers at a phase. A request whose answer is lost meets no further fault. */
  faultAt(phase: ProcessingPhase): ProcessingFault | undefined {
    const fault = this.#trigger(phase);
    return fault === undefined || isProcessingFault(fault) ? fault : undefined;
  }

  /** The fault that triggers inside the body. */
  deliveryFault(): DeliveryFault | undefined {
    const fault = this.#trigger('inside-body');
    return fault === undefined || isDeliveryFault(fault) ? fault : undefined;
  }

  /** A rule has chosen its answer. */
  answered(rule: string): void {
    this.#record?.chosen(rule);
  }

  recordLedgerChange(latest: () => LedgerChange): void {
    this.#record?.changed(latest());
  }

  #trigger(phase: Phase): Fault | undefined {
    this.#record?.reached(phase);
    if (this.#isLost) return undefined;
    const match = this.#requestedAt(phase) ?? this.#plan.match(phase, this.#subject);
    if (match === undefined) return undefined;
    const { ruleId, fault } = match;
    this.#record?.triggered({ rule: ruleId, fault: fault.fault, phase });
    this.#isLost = 'outcome' in fault;
    return fault;
  }

  #requestedAt(phase: Phase): FaultMatch | undefined {
    const found = this.#requested.find(({ rule }) => rule.phase === phase);
    return found && { ruleId: found.ruleId, fault: found.rule.fault };
  }
}
