import { ServiceError } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import { Generations } from '../time/generations.ts';
import type { IdempotencyChoices } from '../world/world.ts';
import type { Completion } from './completion.ts';

const LONGEST_KEY = 255;

/** The keys of one workspace. Pending keys are never forgotten. */
interface Space {
  readonly pending: Map<string, Pending>;
  readonly answered: Generations<Answered>;
  /** Keys that the capacity of the world made it forget before their retention was over. */
  forgottenEarly: number;
}

interface Use {
  readonly fingerprint: string;
  /** When the key was first used. */
  readonly at: number;
}

interface Pending extends Use {
  readonly key: string;
  readonly space: Space;
  isUnderReview: boolean;
}

interface Answered extends Use {
  readonly completion: Completion;
}

/** The first request with an Idempotency-Key, which settles, suspends or abandons its claim, or a repeat of it. */
export type Claim = { readonly kind: 'first'; readonly pending: Pending | null } | Replay;

interface Replay {
  readonly kind: 'replay';
  readonly completion: Completion;
}

const UNCLAIMED: Claim = { kind: 'first', pending: null };

/**
 * Idempotency keys as in the IETF HTTPAPI draft (IDEM-3, IDEM-4): per workspace, with the fingerprint of the payload.
 * Stores only completions of successful requests: a refused request may be sent again. Every key is kept for its
 * retention, unless the world sets a capacity.
 */
export class IdempotencyStore {
  readonly #choices: IdempotencyChoices;
  readonly #clock: Clock;
  /** By workspace. Only one endpoint takes keys, so the payload alone distinguishes requests. */
  readonly #spaces = new Map<string, Space>();

  constructor(choices: IdempotencyChoices, clock: Clock) {
    this.#choices = choices;
    this.#clock = clock;
  }

  /** Throws for a key that is missing but required, invalid, pending, or used with another payload. */
  claim(workspace: string, key: string | undefined, fingerprint: string): Claim {
    if (key === undefined) return this.#missing();
    if (key === '' || key.length > LONGEST_KEY) throw new ServiceError('invalid_idempotency_key');
    if (this.#choices.repeated === 'serve') return UNCLAIMED;
    const space = this.#spaceOf(workspace);
    const earlier = space.pending.get(key);
    if (earlier !== undefined) throw this.#pending(earlier, fingerprint);
    const answered = this.#fresh(space.answered.get(key));
    if (answered !== undefined) return this.#repeated(answered, fingerprint);
    const pending = { space, key, fingerprint, at: this.#clock(), isUnderReview: false };
    space.pending.set(key, pending);
    return { kind: 'first', pending };
  }

  settle(claim: Claim, completion: Completion): void {
    if (claim.kind === 'replay' || claim.pending === null) return;
    const { space, key, fingerprint, at } = claim.pending;
    space.pending.delete(key);
    const forgotten = space.answered.set(key, { fingerprint, at, completion }, this.#clock());
    for (const answered of forgotten.values()) if (this.#fresh(answered)) space.forgottenEarly += 1;
  }

  /** The outcome is uncertain: the key is refused until its claim is settled or abandoned. */
  suspend(claim: Claim): void {
    if (claim.kind === 'first' && claim.pending !== null) claim.pending.isUnderReview = true;
  }

  abandon(claim: Claim): void {
    if (claim.kind === 'first' && claim.pending !== null)
      claim.pending.space.pending.delete(claim.pending.key);
  }

  /** A sentence for each workspace whose keys were forgotten before their retention was over. */
  brokenPromises(): readonly string[] {
    const { capacity, retentionSeconds } = this.#choices;
    const early = [...this.#spaces].filter(([, { forgottenEarly }]) => forgottenEarly > 0);
    return early.map(
      ([workspace, { forgottenEarly }]) =>
        `${workspace}: ${forgottenEarly} Idempotency-Keys were forgotten within their ${retentionSeconds} s, because the capacity is ${capacity}`,
    );
  }

  #missing(): Claim {
    if (this.#choices.missing === 'refuse') throw new ServiceError('idempotency_key_required');
    return UNCLAIMED;
  }

  #spaceOf(workspace: string): Space {
    const known = this.#spaces.get(workspace);
    if (known !== undefined) return known;
    const { capacity, retentionSeconds } = this.#choices;
    const answered = new Generations<Answered>({ ms: retentionSeconds * 1000, capacity });
    const space = { pending: new Map(), answered, forgottenEarly: 0 };
    this.#spaces.set(workspace, space);
    return space;
  }

  #fresh(answered: Answered | undefined): Answered | undefined {
    const { retentionSeconds } = this.#choices;
    const isOver = answered !== undefined && this.#clock() - answered.at > retentionSeconds * 1000;
    return isOver ? undefined : answered;
  }

  #pending({ fingerprint, isUnderReview }: Pending, repeated: string): ServiceError {
    if (isUnderReview) return new ServiceError('idempotency_under_review');
    if (this.#choices.repeated === 'refuse') return new ServiceError('idempotency_repeated');
    return new ServiceError(fingerprint === repeated ? 'idempotency_in_flight' : 'idempotency_mismatch');
  }

  #repeated({ fingerprint, completion }: Answered, repeated: string): Replay {
    if (this.#choices.repeated === 'refuse') throw new ServiceError('idempotency_repeated');
    if (fingerprint !== repeated) throw new ServiceError('idempotency_mismatch');
    return { kind: 'replay', completion };
  }
}
