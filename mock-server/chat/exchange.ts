import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FaultRule } from '../faults/compile-faults.ts';
import type { Delivery } from '../faults/deliveries.ts';
import type { Effect, Loss, Occasion, Outcome } from '../faults/fault.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { Endpoint, ReceivedRequest } from '../protocol/answer.ts';
import type { Phase, ProcessingPhase } from '../rules/phases.ts';
import type { SentChat, Subject } from '../rules/subject.ts';
import { drawMilliseconds } from '../time/spread.ts';
import type { Service } from './service.ts';

/** The values drawn for one request. */
export interface Identity {
  readonly requestId: string;
  /** In hexadecimal: its IDs are parts of it. */
  readonly digest: string;
  /** 32 bits, equal for equal seeds and bodies: the same question gets the same text. */
  readonly word: number;
  /** SHA-256 of the body, in hexadecimal. */
  readonly bodyDigest: string;
}

/** Keeps neighbouring seeds from drawing similar words. */
const SPREAD = 0x9e3779b1;
const EMPTY = Buffer.alloc(0);

/**
 * Hashes the seed, everything that the service reads of the request, and which occurrence of exactly that request it
 * is. So equal requests get equal bytes in any order, and no two answers share an ID (ERR-2).
 */
export function identify(seed: number, occurrences: Occurrences, request: ReceivedRequest): Identity {
  const bodyDigest = hash('sha256', request.body ?? EMPTY, 'hex');
  const { method, url, authorization, idempotencyKey, contentType, contentEncoding, fault } = request;
  const head = `${method} ${url}\n${authorization}\n${idempotencyKey}\n${contentType}\n${contentEncoding}${fault === undefined ? '' : `\n${fault}`}`;
  const exact = hash('sha256', `${seed}\n${head}\n${bodyDigest}`, 'hex');
  const occurrence = occurrences.next(exact);
  const digest = occurrence === 0 ? exact : hash('sha256', `${exact} ${occurrence}`, 'hex');
  const word = Number.parseInt(bodyDigest.slice(0, 8), 16) ^ Math.imul(seed, SPREAD);
  return { requestId: requestIdOf(digest), digest, word, bodyDigest };
}

export function requestIdOf(digest: string): string {
  return `req_${digest.slice(0, 24)}`;
}

export function completionIdOf(digest: string): string {
  return `chatcmpl-${digest.slice(24, 48)}`;
}

/** Hexadecimal digits that fit a whole number: a Map of numbers costs half as much as one of strings. */
const DIGITS = 13;

/**
 * Counts how often each request arrived. A request never gets the same number twice (ERR-2). Numbers do not depend on the
 * requests in between, for the first 131,072 different requests.
 */
export class Occurrences {
  readonly #remembered: number;
  readonly #counts = new Map<number, number>();
  #came = 0;
  /** No forgotten request came more often, so a forgotten request that comes again starts here. */
  #floor = 0;

  constructor(remembered = 131_072) {
    this.#remembered = remembered;
  }

  /** Takes the digest of a request, in hexadecimal. */
  next(digest: string): number {
    const key = Number.parseInt(digest.slice(0, DIGITS), 16);
    const known = this.#counts.get(key);
    const occurrence = known ?? this.#floor;
    if (known === undefined && this.#counts.size >= this.#remembered) {
      this.#counts.clear();
      this.#floor = this.#came;
    }
    this.#came += 1;
    this.#counts.set(key, occurrence + 1);
    return occurrence;
  }
}

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
  readonly service: Service;
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
  /** The fault that its header asks for, which comes before those of the plan. */
  requested?: FaultRule;
  readonly #message: IncomingMessage;
  #release: (() => void) | undefined;

  /** `isRequest`: false for what could not be read as one. */
  constructor(service: Service, message: IncomingMessage, request: ReceivedRequest, isRequest: boolean) {
    this.service = service;
    this.request = request;
    this.identity = identify(service.seed, service.occurrences, request);
    this.requestId = this.identity.requestId;
    this.connection = message.socket;
    this.idempotencyKey = request.idempotencyKey;
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
  learns(facts: Pick<Subject, 'endpoint' | 'key' | 'model' | 'stream'>): void {
    Object.assign(this, facts);
    this.record?.learnt(facts);
  }

  /** Passes a point at which a fault can trigger: waits, throws a ServiceError, or throws `Lost`. */
  phase(name: ProcessingPhase): Promise<void> | undefined {
    const effect = this.#meet(name);
    if (effect?.kind === 'refuse') throw effect.error;
    return effect?.kind === 'wait' ? this.service.delays.wait(effect.ms) : undefined;
  }

  /** How the answer leaves; undefined: whole, as it is. */
  delivery(): Delivery | undefined {
    const effect = this.#meet('inside-body');
    return effect?.kind === 'deliver' ? effect : undefined;
  }

  /** What happens at a phase, if anything. Throws `Lost`. */
  #meet(phase: Phase): Effect | undefined {
    this.record?.reached(phase);
    const { requested, service } = this;
    if (requested === undefined && service.faults.rules().length === 0) return undefined;
    const use =
      requested?.phase === phase ? { id: 'header', rule: requested } : service.faults.take(this, phase);
    if (use === undefined) return undefined;
    const { id, rule } = use;
    const { fault } = rule.words;
    this.record?.triggered({ rule: id, fault, phase });
    const effect = rule.effect(this.#occasion(phase));
    if (effect.kind !== 'lose') return effect;
    throw new Lost(fault, effect.instead, rule.outcome);
  }

  #occasion(phase: Phase): Occasion {
    const { world, seed } = this.service;
    return {
      phase,
      retryAfterSeconds: world.limits.retryAfterSeconds,
      draw: (ms) => drawMilliseconds(ms, `${seed} ${phase} ${this.requestId}`),
    };
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
