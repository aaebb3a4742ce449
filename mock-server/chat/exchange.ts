import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FaultRule } from '../faults/compile-faults.ts';
import type { Delivery } from '../faults/deliveries.ts';
import type { Effect, Loss, Occasion, Outcome } from '../faults/fault.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { Endpoint, ReceivedRequest } from '../protocol/answer.ts';
import type { Phase, ProcessingPhase } from '../rules/phases.ts';
import type { SentChat, Subject } from '../rules/subject.ts';
import { drawMilliseconds } from '../time/spread.ts';
import { type Identity, identify } from './identity.ts';
import type { Service } from './service.ts';

/** A fault takes the place of the answer. */
export class Lost extends Error {
  override readonly name = 'Lost';
  readonly fault: string;
  readonly instead: Loss['instead'];
  /** How the request ends if its reservation is held. */
  readonly outcome: Outcome;

  constructor(fault: string, instead: Loss['instead'], outcome: Outcome) {
    super(fault);
    this.fault = fault;
    this.instead = instead;
    this.outcome = outcome;
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
  readonly #service: Service;
  readonly #message: IncomingMessage;
  #requested: readonly { readonly id: string; readonly rule: FaultRule }[] = [];
  #release: (() => void) | undefined;

  /** `isRequest`: false for what could not be read as one. */
  constructor(service: Service, message: IncomingMessage, request: ReceivedRequest, isRequest: boolean) {
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
  learns({ sent, ...facts }: Pick<Subject, 'endpoint' | 'key' | 'model' | 'stream' | 'sent'>): void {
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
    const effect = this.#meet(name);
    if (effect?.kind === 'refuse') throw effect.error;
    if (effect?.kind === 'wait') await this.#service.delays.wait(effect.ms);
  }

  /** How the answer leaves; undefined: whole, as it is. */
  delivery(): Delivery | undefined {
    const effect = this.#meet('inside-body');
    return effect?.kind === 'deliver' ? effect : undefined;
  }

  /** What happens at a phase, if anything. Throws `Lost`. */
  #meet(phase: Phase): Effect | undefined {
    this.record?.reached(phase);
    const { faults } = this.#service;
    if (faults.rules().length + this.#requested.length === 0) return undefined;
    const use = this.#requested.find(({ rule }) => rule.phase === phase) ?? faults.take(this, phase);
    if (use === undefined) return undefined;
    const { id, rule } = use;
    const { fault } = rule.words;
    this.record?.triggered({ rule: id, fault, phase });
    const effect = rule.effect(occasionOf(this.#service, phase, this.requestId));
    if (effect.kind !== 'lose') return effect;
    throw new Lost(fault, effect.instead, rule.outcome);
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
export function occasionOf({ world, seed, time }: Service, phase: Phase, id: string): Occasion {
  return {
    phase,
    now: time.now(),
    retryAfterSeconds: world.limits.retryAfterSeconds,
    draw: (ms) => drawMilliseconds(ms, `${seed} ${phase} ${id}`),
  };
}
