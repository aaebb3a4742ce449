import type { Generation, Json } from './choices.ts';
import { refuse } from './reply.ts';

/** The credits of one request. */
export interface Account {
  readonly requestId: string;
  readonly key: string | undefined;
  readonly reserved: number;
  state: 'running' | 'succeeded' | 'failed' | 'under_review';
  debit: number | null;
  generation?: Generation;
}

const RESERVATION = {
  running: 'held',
  succeeded: 'consumed',
  failed: 'released',
  under_review: 'under_review',
} as const;

/** Holds a reservation while a request runs or is under review, and makes one debit when it succeeds. */
export class Workspace {
  readonly #accounts: Account[] = [];
  readonly #granted: number;

  constructor(granted: number) {
    this.#granted = granted;
  }

  /** Throws a Refusal if the credits do not suffice. */
  reserve(requestId: string, key: string | undefined, reserved: number): Account {
    if (this.balance().available < reserved) refuse('no_credits', 'the workspace has too few credits');
    const account: Account = { requestId, key, reserved, state: 'running', debit: null };
    this.#accounts.push(account);
    return account;
  }

  debit(account: Account, credits: number, generation: Generation): void {
    Object.assign(account, { state: 'succeeded', debit: credits, generation });
  }

  balance(): { readonly available: number; readonly held: number } {
    let held = 0;
    let debits = 0;
    for (const { state, reserved, debit } of this.#accounts) {
      if (state === 'running' || state === 'under_review') held += reserved;
      debits += debit ?? 0;
    }
    return { available: this.#granted - debits - held, held };
  }

  /** The requests under a key, in the format of the control protocol. */
  requestsOf(key: string | null): Json {
    return this.#accounts
      .filter((account) => account.key === key)
      .map(({ requestId, state, reserved, debit, generation }) => ({
        requestId,
        state,
        reservation: { credits: reserved, state: RESERVATION[state] },
        debit,
        usage: generation === undefined ? null : { input: generation.input, output: generation.output },
        finishReason: generation?.finish ?? null,
      }));
  }

  /** Fails a request that is under review; returns whether there was one. */
  fail(requestId: string): boolean {
    const account = this.#accounts.find((each) => each.requestId === requestId);
    if (account?.state !== 'under_review') return false;
    account.state = 'failed';
    return true;
  }
}
