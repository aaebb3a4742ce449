import { ServiceError } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import type { Choices } from '../world/world-schema.ts';
import type { Completion } from './completion.ts';

const LONGEST_KEY = 255;

/** The first use of an Idempotency-Key. With a completion, it was answered, and a repeat gets that again. */
interface Use {
  readonly name: string;
  readonly fingerprint: string;
  /** When the key was first used. */
  readonly at: number;
  completion: Completion | null;
  isUnderReview: boolean;
}

/** Null: no key is remembered for the request. */
export type Claim = Use | null;

/**
 * Idempotency keys as in the IETF HTTPAPI draft (IDEM-3, IDEM-4): per workspace, with the fingerprint of the payload.
 * Stores only completions of successful requests: a refused request may be sent again. Every key is kept for its
 * retention. Only one endpoint takes keys, so the payload alone distinguishes requests.
 */
export class IdempotencyStore {
  readonly #choices: Choices['idempotency'];
  readonly #clock: Clock;
  /** Not answered yet: never forgotten. */
  readonly #pending = new Map<string, Use>();
  /**
   * The answered ones in two generations, each forgotten whole: deleting the first key of a Map again and again slows
   * down every access to its start.
   */
  #young = new Map<string, Use>();
  #old = new Map<string, Use>();
  #youngSince = -Infinity;

  constructor(choices: Choices['idempotency'], clock: Clock) {
    this.#choices = choices;
    this.#clock = clock;
  }

  /** The first use of a key is settled, suspended or abandoned. Throws for a key that may not be used, or not again. */
  claim(workspace: string, key: string | undefined, fingerprint: string): Claim {
    const { missing, repeated } = this.#choices;
    if (key === undefined && missing === 'refuse') throw new ServiceError('idempotency_key_required');
    if (key === undefined) return null;
    if (key === '' || key.length > LONGEST_KEY) throw new ServiceError('invalid_idempotency_key');
    if (repeated === 'serve') return null;
    // No header has a line break.
    const name = `${workspace}\n${key}`;
    const earlier = this.#pending.get(name) ?? this.#answered(name);
    if (earlier !== undefined) return this.#again(earlier, fingerprint);
    const use = { name, fingerprint, at: this.#clock(), completion: null, isUnderReview: false };
    this.#pending.set(name, use);
    return use;
  }

  settle(use: Claim, completion: Completion): void {
    if (use === null) return;
    this.#pending.delete(use.name);
    const now = this.#clock();
    if (this.#young.size === 0) this.#youngSince = now;
    if (this.#isOver(this.#youngSince, now)) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSince = now;
    }
    this.#young.set(use.name, Object.assign(use, { completion, isUnderReview: false }));
  }

  /** The outcome is uncertain: the key is refused until its use is settled or abandoned. */
  suspend(use: Claim): void {
    if (use !== null) use.isUnderReview = true;
  }

  abandon(use: Claim): void {
    if (use !== null) this.#pending.delete(use.name);
  }

  /** How many answered keys it holds. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #answered(name: string): Use | undefined {
    const use = this.#young.get(name) ?? this.#old.get(name);
    return use === undefined || this.#isOver(use.at, this.#clock()) ? undefined : use;
  }

  #isOver(since: number, now: number): boolean {
    return now - since > this.#choices.retentionSeconds * 1000;
  }

  #again(use: Use, fingerprint: string): Use {
    if (use.isUnderReview) throw new ServiceError('idempotency_under_review');
    if (this.#choices.repeated === 'refuse') throw new ServiceError('idempotency_repeated');
    if (fingerprint !== use.fingerprint) throw new ServiceError('idempotency_mismatch');
    if (use.completion === null) throw new ServiceError('idempotency_in_flight');
    return use;
  }
}
