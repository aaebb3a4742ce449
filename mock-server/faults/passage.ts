import type { Phase } from './phases.ts';
import type { Caller } from '../world/caller.ts';
import type { Order } from '../chat/order.ts';
import type { Endpoint } from '../endpoints/route.ts';
import type { JournalRecord } from '../sandboxes/journal.ts';
import type { LedgerChange } from '../workspace/ledger.ts';
import type { FaultPlan, Firing, Subject } from './fault-plan.ts';
import type { Rule } from './rule.ts';
import {
  type DeliveryTrouble,
  isDeliveryTrouble,
  isRequestTrouble,
  type RequestTrouble,
  type Trouble,
} from './trouble.ts';

/** A rule that a request brought along, and how. */
interface Requested {
  readonly ruleId: 'header' | 'model';
  readonly rule: Rule;
}

/**
 * A request's way through the phases, watched: what is known of it so far, and what strikes it. Only a request that
 * can meet a fault, or that a journal tells of, has one.
 */
export class Passage {
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

  ordered({ modelId: model, stream, fault }: Order): void {
    this.#subject = { ...this.#subject, model, stream };
    if (fault !== null) this.#requested.push({ ruleId: 'model', rule: fault });
  }

  /** What a header of the request asks for comes before the plan, as what its model ID asks for does. */
  asksFor(rule: Rule): void {
    this.#requested.push({ ruleId: 'header', rule });
  }

  /** The trouble that strikes at a phase, if one does. A request whose answer is lost meets no other. */
  reach(phase: Exclude<Phase, 'inside-body'>): RequestTrouble | undefined {
    const trouble = this.#strike(phase);
    return trouble === undefined || isRequestTrouble(trouble) ? trouble : undefined;
  }

  /** The trouble that strikes inside the body. */
  deliver(): DeliveryTrouble | undefined {
    const trouble = this.#strike('inside-body');
    return trouble === undefined || isDeliveryTrouble(trouble) ? trouble : undefined;
  }

  #strike(phase: Phase): Trouble | undefined {
    this.#record?.reached(phase);
    if (this.#isLost) return undefined;
    const firing = this.#requestedAt(phase) ?? this.#plan.strike(phase, this.#subject);
    if (firing === undefined) return undefined;
    const { ruleId, trouble } = firing;
    this.#record?.struck({ rule: ruleId, fault: trouble.fault, phase });
    this.#isLost = 'outcome' in trouble;
    return trouble;
  }

  /** Tells the journal what the ledger has just written. */
  booked(latest: () => LedgerChange): void {
    this.#record?.changed(latest());
  }

  #requestedAt(phase: Phase): Firing | undefined {
    const found = this.#requested.find(({ rule }) => rule.phase === phase);
    return found === undefined ? undefined : { ruleId: found.ruleId, trouble: found.rule.trouble };
  }
}
