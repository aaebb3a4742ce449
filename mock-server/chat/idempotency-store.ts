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
  readonly #uses = new Map<string, Use>();
  #sweptAt = -Infinity;

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
    const at = this.#clock();
    const earlier = this.#uses.get(name);
    if (earlier !== undefined && !this.#isOver(earlier, at)) return this.#again(earlier, fingerprint);
    const use = { name, fingerprint, at, completion: null, isUnderReview: false };
    this.#uses.set(name, use);
    return use;
  }

  settle(use: Claim, completion: Completion): void {
    if (use === null) return;
    use.completion = completion;
    use.isUnderReview = false;
    this.#sweep(this.#clock());
  }

  /** The outcome is uncertain: the key is refused until its use is settled or abandoned. */
  suspend(use: Claim): void {
    if (use !== null) use.isUnderReview = true;
  }

  abandon(use: Claim): void {
    if (use !== null) this.#uses.delete(use.name);
  }

  /** How many keys it holds. */
  get size(): number {
    return this.#uses.size;
  }

  /** Forgets all keys whose time is over, once in a retention: to look for them each time would take too long. */
  #sweep(now: number): void {
    if (now - this.#sweptAt <= this.#choices.retentionSeconds * 1000) return;
    this.#sweptAt = now;
    for (const use of this.#uses.values()) if (this.#isOver(use, now)) this.#uses.delete(use.name);
  }

  /** Whether it was answered, and its retention is over. */
  #isOver({ at, completion }: Use, now: number): boolean {
    return completion !== null && now - at > this.#choices.retentionSeconds * 1000;
  }

  #again(use: Use, fingerprint: string): Use {
    if (use.isUnderReview) throw new ServiceError('idempotency_under_review');
    if (this.#choices.repeated === 'refuse') throw new ServiceError('idempotency_repeated');
    if (fingerprint !== use.fingerprint) throw new ServiceError('idempotency_mismatch');
    if (use.completion === null) throw new ServiceError('idempotency_in_flight');
    return use;
  }
}
