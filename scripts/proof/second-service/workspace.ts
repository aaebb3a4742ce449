import type { Made, Json } from './choices.ts';
import { refuse } from './refusal.ts';

/** What became of the credits for one request. */
export interface Account {
  readonly requestId: string;
  readonly key: string | undefined;
  readonly reserved: number;
  state: 'running' | 'succeeded' | 'failed' | 'under_review';
  debit: number | null;
  made?: Made;
}

const RESERVATION = {
  running: 'held',
  succeeded: 'consumed',
  failed: 'released',
  under_review: 'under_review',
} as const;

/** Credits, and what they went for: a reservation while a request runs or is under review, one debit when it succeeds. */
export class Workspace {
  readonly #accounts: Account[] = [];
  readonly #granted: number;

  constructor(granted: number) {
    this.#granted = granted;
  }

  /** Throws a Refusal where there are too few credits. */
  reserve(requestId: string, key: string | undefined, reserved: number): Account {
    if (this.balance().available < reserved) refuse('no_credits', 'the workspace has too few credits');
    const account: Account = { requestId, key, reserved, state: 'running', debit: null };
    this.#accounts.push(account);
    return account;
  }

  debit(account: Account, credits: number, made: Made): void {
    Object.assign(account, { state: 'succeeded', debit: credits, made });
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

  /** As the control protocol shows them. */
  requestsOf(key: string | null): Json {
    return this.#accounts
      .filter((account) => account.key === key)
      .map(({ requestId, state, reserved, debit, made }) => ({
        requestId,
        state,
        reservation: { credits: reserved, state: RESERVATION[state] },
        debit,
        usage: made === undefined ? null : { input: made.input, output: made.output },
        finishReason: made?.finish ?? null,
      }));
  }

  /** Whether there was such a request under review, which has now failed. */
  fail(requestId: string): boolean {
    const account = this.#accounts.find((each) => each.requestId === requestId);
    if (account?.state !== 'under_review') return false;
    account.state = 'failed';
    return true;
  }
}
