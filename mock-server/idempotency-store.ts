import type { Answer } from './answer.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Clock } from './clock.ts';
import { ServiceError } from './service-error.ts';
import type { IdempotencyChoices } from './world-choices.ts';

const LONGEST_KEY = 255;

interface Stored {
  readonly keys: BoundedMap<Stored>;
  readonly key: string;
  readonly fingerprint: string;
  readonly at: number;
  /** Null while the first request is in flight. */
  answer: Answer | null;
}

/** What a request with an Idempotency-Key is: the first, which settles or abandons its claim, or a repetition. */
export type Claim = { readonly kind: 'first'; readonly stored: Stored | null } | Replay;

interface Replay {
  readonly kind: 'replay';
  readonly answer: Answer;
}

const UNCLAIMED: Claim = { kind: 'first', stored: null };

/**
 * Idempotency keys as the IETF HTTPAPI draft has them (IDEM-3, IDEM-4): per workspace, with the payload's
 * fingerprint. Only answers of requests that succeeded are stored: what was refused may be sent again.
 */
export class IdempotencyStore {
  readonly #choices: IdempotencyChoices;
  readonly #clock: Clock;
  /** By workspace, then by key: one endpoint takes keys, so the payload alone tells requests apart. */
  readonly #stored = new Map<string, BoundedMap<Stored>>();

  constructor(choices: IdempotencyChoices, clock: Clock) {
    this.#choices = choices;
    this.#clock = clock;
  }

  /** Throws for a key that is required and absent, invalid, in flight, or used with another payload. */
  claim(workspace: string, key: string | undefined, fingerprint: string): Claim {
    if (key === undefined) return this.#missing();
    if (key === '' || key.length > LONGEST_KEY) throw new ServiceError('invalid_idempotency_key');
    if (this.#choices.repeated === 'serve') return UNCLAIMED;
    const keys = this.#keysOf(workspace);
    const earlier = this.#fresh(keys.get(key));
    if (earlier !== undefined) return this.#repeated(earlier, fingerprint);
    const stored: Stored = { keys, key, fingerprint, at: this.#clock(), answer: null };
    keys.set(key, stored);
    return { kind: 'first', stored };
  }

  settle(claim: Claim, answer: Answer): void {
    if (claim.kind === 'replay' || claim.stored === null) return;
    claim.stored.answer = answer;
    // Again: many later keys may have pushed it out while it was in flight.
    claim.stored.keys.set(claim.stored.key, claim.stored);
  }

  abandon(claim: Claim): void {
    if (claim.kind === 'first' && claim.stored !== null) claim.stored.keys.delete(claim.stored.key);
  }

  #missing(): Claim {
    if (this.#choices.missing === 'refuse') throw new ServiceError('idempotency_key_required');
    return UNCLAIMED;
  }

  #keysOf(workspace: string): BoundedMap<Stored> {
    const known = this.#stored.get(workspace);
    if (known !== undefined) return known;
    const keys = new BoundedMap<Stored>(this.#choices.capacity);
    this.#stored.set(workspace, keys);
    return keys;
  }

  #fresh(stored: Stored | undefined): Stored | undefined {
    const expired = stored !== undefined && this.#clock() - stored.at > this.#choices.retentionSeconds * 1000;
    return expired ? undefined : stored;
  }

  #repeated({ fingerprint, answer }: Stored, repeated: string): Replay {
    if (this.#choices.repeated === 'refuse') throw new ServiceError('idempotency_repeated');
    if (fingerprint !== repeated) throw new ServiceError('idempotency_mismatch');
    if (answer === null) throw new ServiceError('idempotency_in_flight');
    return { kind: 'replay', answer };
  }
}
