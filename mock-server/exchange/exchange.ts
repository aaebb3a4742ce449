import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FaultRule } from '../faults/compile-faults.ts';
import type { Delivery } from '../faults/deliveries.ts';
import type { Effect, Loss, Occasion, Outcome } from '../faults/fault.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { MemoryJournal } from '../journal/memory-journal.ts';
import type { Endpoint, ReceivedRequest } from '../protocol/answer.ts';
import type { Phase, ProcessingPhase } from '../rules/phases.ts';
import type { RulePlan } from '../rules/rule-plan.ts';
import type { SentChat, Subject } from '../rules/subject.ts';
import type { Clock } from '../time/clock.ts';
import type { Delays } from '../time/delays.ts';
import { drawMilliseconds } from '../time/spread.ts';
import type { World } from '../world/world-schema.ts';
import { type Identity, identify, type Occurrences } from './identity.ts';

/** What an exchange needs of its sandbox. */
export interface ExchangeService {
  readonly world: World;
  readonly seed: number;
  readonly clock: Clock;
  readonly delays: Delays;
  readonly occurrences: Occurrences;
  readonly faults: RulePlan<FaultRule>;
  readonly journal: MemoryJournal | undefined;
}

/** Compiles the fault that a request asks for. Loaded only where one can: its schema costs start-up time. */
type RequestedFaultCompiler = Pick<
  typeof import('../faults/compile-faults.ts'),
  'faultOfHeader' | 'faultOfModel'
>;

/** What rules look at. */
type Facts = Pick<Subject, 'endpoint' | 'key' | 'model' | 'stream' | 'sent'>;

/** The answer is lost: to which fault, and how the request ends if its reservation is held. */
export type MetLoss = Loss & { readonly fault: string; readonly outcome: Outcome };

/** A fault takes the place of the answer. */
export class Lost extends Error {
  override readonly name = 'Lost';
  readonly loss: MetLoss;

  constructor(loss: MetLoss) {
    super(loss.fault);
    this.loss = loss;
  }
}

/**
 * One request on the way to its answer, and what is known of it so far, which its journal record hears. A step of its
 * service returns, or throws: a ServiceError refuses the request, `Lost` loses its answer, and anything else is a failure
 * of the mock itself.
 */
export class Exchange implements Subject {
  readonly request: ReceivedRequest;
  readonly identity: Identity;
  /** Undefined: no journal records it. */
  readonly record: JournalRecord | undefined;
  readonly requestId: string;
  readonly connection: object;
  readonly idempotencyKey: string | undefined;
  endpoint?: Endpoint;
  key?: string;
  model?: string;
  stream?: boolean;
  sent?: SentChat;
  /** Undefined: its request cannot ask for faults. */
  compiler: RequestedFaultCompiler | undefined;
  readonly #service: ExchangeService;
  readonly #message: IncomingMessage;
  #requested: readonly { readonly id: string; readonly rule: FaultRule }[] = [];
  #isLost = false;
  #release: (() => void) | undefined;

  /** `isRequest`: false for what could not be read as one. */
  constructor(
    service: ExchangeService,
    message: IncomingMessage,
    request: ReceivedRequest,
    isRequest: boolean,
  ) {
    this.request = request;
    this.identity = identify(service.seed, service.occurrences, request);
    this.requestId = this.identity.requestId;
    this.connection = message.socket;
    this.idempotencyKey = request.idempotencyKey;
    this.#service = service;
    this.#message = message;
    const { requestId } = this;
    const { rawHeaders } = message;
    this.record = service.journal?.begin({ ...request, requestId, rawHeaders, isRequest });
  }

  /** Node makes them when they are asked for, which few rules do. */
  get headers(): IncomingHttpHeaders {
    return this.#message.headers;
  }

  /** What is known of it from now on, for rules and for the journal. */
  learns({ sent, ...facts }: Facts): void {
    Object.assign(this, facts);
    if (sent !== undefined) this.sent = sent;
    this.record?.learnt(facts);
  }

  /** Asks for a fault, before those of the plan; null: for none. Returns whether it asks for one. */
  asksFor(id: 'header' | 'model', rule: FaultRule | null = null): boolean {
    if (rule !== null) this.#requested = [...this.#requested, { id, rule }];
    return rule !== null;
  }

  /** Passes a point at which a fault can trigger: waits, throws a ServiceError, or throws `Lost`. */
  async phase(name: ProcessingPhase): Promise<void> {
    const met = this.#meet(name);
    if (met?.kind === 'refuse') throw met.error;
    if (met?.kind === 'lose') throw new Lost(met);
    if (met?.kind === 'wait') await this.#service.delays.wait(met.ms);
  }

  /** How the answer leaves; undefined: whole, as it is. */
  delivery(): Delivery | undefined {
    const met = this.#meet('inside-body');
    return met?.kind === 'deliver' ? met : undefined;
  }

  /** What happens at a phase, if anything. A request whose answer is lost meets no further fault. */
  #meet(phase: Phase): Exclude<Effect, Loss> | MetLoss | undefined {
    this.record?.reached(phase);
    const { faults } = this.#service;
    if (this.#isLost || faults.rules().length + this.#requested.length === 0) return undefined;
    const asked = this.#requested.find(({ rule }) => rule.phase === phase);
    const triggered = asked ?? faults.take(this, phase);
    if (triggered === undefined) return undefined;
    const { id, rule } = triggered;
    const { fault } = rule.words;
    this.record?.triggered({ rule: id, fault, phase });
    const effect = rule.effect(occasionOf(this.#service, phase, this.requestId));
    if (effect.kind !== 'lose') return effect;
    this.#isLost = true;
    return { ...effect, fault, outcome: rule.outcome };
  }

  /** Holds a resource until the answer was handed to the socket, or the client has gone. */
  hold(release: () => void): void {
    if (this.#message.socket.destroyed) release();
    else this.#release = release;
  }

  /** Gives back what it holds. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** Where and when a fault happens to a request, or to a handshake with an ID. */
export function occasionOf(
  { world, seed, clock }: Pick<ExchangeService, 'world' | 'seed' | 'clock'>,
  phase: Phase,
  id: string,
): Occasion {
  return {
    phase,
    now: clock(),
    retryAfterSeconds: world.limits.retryAfterSeconds,
    draw: (ms) => drawMilliseconds(ms, `${seed} ${phase} ${id}`),
  };
}
