import type { FaultRule } from '../faults/compile-faults.ts';
import type { Delivery, Effect, Loss, Occasion, Outcome, RefusedRequest, Wait } from '../faults/fault.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { Endpoint } from '../protocol/request.ts';
import type { Phase, ProcessingPhase } from '../rules/phases.ts';
import type { RulePlan } from '../rules/rule-plan.ts';
import type { SentChat, Subject } from '../rules/subject.ts';
import type { Clock } from '../time/clock.ts';
import { drawMilliseconds } from '../time/spread.ts';
import type { LedgerChange } from '../workspace/ledger.ts';
import type { World } from '../world/world.ts';

/** Compiles the fault that a request asks for. Loaded only where one can: its schema costs start-up time. */
export type RequestedFaultCompiler = Pick<
  typeof import('../faults/requested-fault.ts'),
  'faultOfHeader' | 'faultOfModel'
>;

/** What faults need of their sandbox. */
export interface FaultService {
  readonly world: World;
  readonly seed: number;
  readonly clock: Clock;
  readonly faults: RulePlan<FaultRule>;
}

/** The answer is lost: to which fault, and how the request ends if its reservation is held. */
export type MetLoss = Loss & { readonly fault: string; readonly outcome: Outcome };

/** What a fault does to a request before its answer leaves. */
export type Met = Wait | RefusedRequest | MetLoss;

/** A rule that the request itself carries, or one of the plan. */
interface Triggered {
  readonly id: string;
  readonly rule: FaultRule;
}

/** The faults of one request: what is known of it so far, and what happens to it at each phase. Also tells the journal. */
export class RequestFaults {
  readonly #service: FaultService;
  readonly #record: JournalRecord | undefined;
  readonly #requested: Triggered[] = [];
  #compiler: RequestedFaultCompiler | undefined;
  readonly #subject: Subject;
  #isLost = false;

  constructor(service: FaultService, record: JournalRecord | undefined, received: Subject) {
    this.#service = service;
    this.#record = record;
    this.#subject = received;
  }

  /** What is known of the request so far. */
  get subject(): Subject {
    return this.#subject;
  }

  routed(endpoint: Endpoint): void {
    Object.assign(this.#subject, { endpoint });
    this.#record?.learnt({ endpoint });
  }

  /** `key` is the name of the key. */
  authenticated(key: string): void {
    Object.assign(this.#subject, { key });
    this.#record?.learnt({ key });
  }

  /** `sent`: the chat as it was sent. */
  accepted(model: string, stream: boolean, sent: SentChat): void {
    Object.assign(this.#subject, { model, stream, sent });
    this.#record?.learnt({ model, stream });
  }

  /** From here on the request can ask for faults, which precede the plan. */
  compileWith(compiler: RequestedFaultCompiler): void {
    this.#compiler = compiler;
  }

  /** Throws `invalid_fault`. */
  requestByHeader(text: string, endpoint: Endpoint): void {
    const rule = this.#compiler?.faultOfHeader(text, endpoint);
    if (rule !== undefined) this.#requested.push({ id: 'header', rule });
  }

  /** Whether the ID is a reserved one, which asks for a fault. Throws `invalid_fault`. */
  requestByModel(modelId: string): boolean {
    const rule = this.#compiler?.faultOfModel(modelId) ?? null;
    if (rule !== null) this.#requested.push({ id: 'model', rule });
    return rule !== null;
  }

  /** What happens at a phase, if anything. A request whose answer is lost meets no further fault. */
  at(phase: ProcessingPhase): Met | undefined {
    const met = this.#meet(phase);
    return met?.kind === 'deliver' || met?.kind === 'certify' ? undefined : met;
  }

  /** How the answer leaves; undefined: whole, as it is. */
  delivery(): Delivery | undefined {
    const met = this.#meet('inside-body');
    return met?.kind === 'deliver' ? met : undefined;
  }

  /** A rule has chosen its answer. */
  answered(rule: string): void {
    this.#record?.learnt({ answer: rule });
  }

  /** The changes of its entry in the ledger, as they happen. */
  booked(ledger: readonly LedgerChange[]): void {
    this.#record?.learnt({ ledger });
  }

  #meet(phase: Phase): Exclude<Effect, Loss> | MetLoss | undefined {
    this.#record?.reached(phase);
    if (this.#isLost) return undefined;
    const { faults } = this.#service;
    const asked = this.#requested.find(({ rule }) => rule.phase === phase);
    const triggered = asked ?? faults.take(this.#subject, phase);
    if (triggered === undefined) return undefined;
    const { id, rule } = triggered;
    const { fault } = rule.words;
    this.#record?.triggered({ rule: id, fault, phase });
    const effect = rule.effect(occasionOf(this.#service, phase, this.#subject.requestId));
    if (effect.kind !== 'lose') return effect;
    this.#isLost = true;
    return { ...effect, fault, outcome: rule.outcome };
  }
}

/** Where and when a fault happens to a request, or to a handshake with an ID. */
export function occasionOf({ world, seed, clock }: FaultService, phase: Phase, id: string): Occasion {
  return {
    phase,
    now: clock(),
    retryAfterSeconds: world.limits.retryAfterSeconds,
    draw: (ms) => drawMilliseconds(ms, `${seed} ${phase} ${id}`),
  };
}
