import { type Generation, isJsonObject, type Json, refuse } from './convention.ts';
import type { Reply } from './reply.ts';

const FAULTS = [
  'rate_limit',
  'model_unavailable',
  'service_unavailable',
  'gateway_failure',
  'timeout',
] as const;

export type Fault = (typeof FAULTS)[number];

interface Rule {
  readonly fault: Fault;
  readonly times: number;
  /** When it expires, in milliseconds since the epoch. */
  readonly until: number;
  fired: number;
}

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

const GRANTED = 1_000_000_000;

/**
 * The credits of the requests, the faults armed for the next chats, and the six requests by which both are read and set.
 * A reservation is held while a request runs or is under review; a request that succeeds makes one debit.
 */
export class Workspace {
  readonly #accounts: Account[] = [];
  #rules: readonly Rule[] = [];

  /** Throws a Refusal if the credits do not suffice. */
  reserve(requestId: string, key: string | undefined, reserved: number): Account {
    if (this.#balance().available < reserved) refuse('no_credits', 'the workspace has too few credits');
    const account: Account = { requestId, key, reserved, state: 'running', debit: null };
    this.#accounts.push(account);
    return account;
  }

  debit(account: Account, debit: number, generation: Generation): void {
    Object.assign(account, { state: 'succeeded', debit, generation });
  }

  /** Triggers an armed fault among these, if there is one, and returns it. */
  trigger(...among: readonly Fault[]): Fault | undefined {
    const rule = this.#rules.find(
      ({ fault, fired, times, until }) => among.includes(fault) && fired < times && Date.now() < until,
    );
    if (rule !== undefined) rule.fired += 1;
    return rule?.fault;
  }

  /** Answers a request of the control protocol. */
  control(method: string, { pathname, searchParams }: URL, body: Buffer): Reply {
    const [, resolved] = /^\/control\/requests\/([^/]+)\/resolution$/.exec(pathname) ?? [];
    if (resolved !== undefined) return replyOf(this.#fail(decodeURIComponent(resolved)) ? {} : undefined);
    switch (`${method} ${pathname}`) {
      case 'PUT /control/faults':
        return replyOf(this.#arm(JSON.parse(body.toString())) ? {} : undefined);
      case 'DELETE /control/faults':
        return replyOf(this.#arm([]) ? {} : undefined);
      case 'GET /control/faults':
        return replyOf({ rules: this.#rules.map(({ fault, fired }) => ({ fault, fired })) });
      case 'GET /control/requests':
        return replyOf({ requests: this.#requestsOf(searchParams.get('idempotencyKey')) });
      case 'GET /control/workspace':
        return replyOf({ keys: { primary: this.#balance() } });
      default:
        return replyOf(undefined);
    }
  }

  /** Replaces all rules; returns false, and changes nothing, if one of them is invalid. */
  #arm(given: Json): boolean {
    const rules = Array.isArray(given) ? given.map(ruleOf) : [undefined];
    const known = rules.filter((rule) => rule !== undefined);
    if (known.length < rules.length) return false;
    this.#rules = known;
    return true;
  }

  #balance(): { readonly available: number; readonly held: number } {
    let held = 0;
    let debits = 0;
    for (const { state, reserved, debit } of this.#accounts) {
      if (state === 'running' || state === 'under_review') held += reserved;
      debits += debit ?? 0;
    }
    return { available: GRANTED - debits - held, held };
  }

  #requestsOf(key: string | null): Json {
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
  #fail(requestId: string): boolean {
    const account = this.#accounts.find((each) => each.requestId === requestId);
    if (account?.state !== 'under_review') return false;
    account.state = 'failed';
    return true;
  }
}

function ruleOf(given: Json): Rule | undefined {
  if (!isJsonObject(given)) return undefined;
  const fault = FAULTS.find((known) => known === given['fault']);
  if (fault === undefined) return undefined;
  const { times, ttl } = given;
  const until = typeof ttl === 'number' ? Date.now() + ttl : Infinity;
  return { fault, times: typeof times === 'number' ? times : Infinity, until, fired: 0 };
}

/** Undefined: what was asked for cannot be done. */
function replyOf(value: Json | undefined): Reply {
  const type = 'application/json';
  if (value !== undefined) return { status: 200, type, body: JSON.stringify(value) };
  return { status: 400, type, body: '{"error":{"message":"that cannot be done"}}' };
}
