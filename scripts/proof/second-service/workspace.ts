import { type Generation, isJsonObject, type Json, refuse } from './convention.ts';

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

  trigger(...among: readonly Fault[]): Fault | undefined {
    const rule = this.#rules.find(
      ({ fault, fired, times, until }) => among.includes(fault) && fired < times && Date.now() < until,
    );
    if (rule !== undefined) rule.fired += 1;
    return rule?.fault;
  }

  /** What a request of the control protocol returns; undefined: what was asked for cannot be done. */
  control(method: string, { pathname, searchParams }: URL, body: Buffer): Json | undefined {
    const [, resolved] = /^\/control\/requests\/([^/]+)\/resolution$/.exec(pathname) ?? [];
    if (resolved !== undefined) return this.#fail(decodeURIComponent(resolved));
    switch (`${method} ${pathname}`) {
      case 'PUT /control/faults':
        return this.#arm(JSON.parse(body.toString()));
      case 'DELETE /control/faults':
        return this.#arm([]);
      case 'GET /control/faults':
        return { rules: this.#rules.map(({ fault, fired }) => ({ fault, fired })) };
      case 'GET /control/requests':
        return { requests: this.#requestsOf(searchParams.get('idempotencyKey')) };
      case 'GET /control/workspace':
        return { keys: { primary: this.#balance() } };
      default:
        return undefined;
    }
  }

  /** Replaces all rules; changes nothing if one of them is invalid. */
  #arm(given: readonly Json[]): Json | undefined {
    const rules = given.flatMap((rule) => ruleOf(rule) ?? []);
    if (rules.length < given.length) return undefined;
    this.#rules = rules;
    return {};
  }

  #balance() {
    const sum = (credits: (account: Account) => number): number =>
      this.#accounts.reduce((all, account) => all + credits(account), 0);
    const held = sum(({ state, reserved }) =>
      state === 'running' || state === 'under_review' ? reserved : 0,
    );
    return { available: GRANTED - held - sum(({ debit }) => debit ?? 0), held };
  }

  #requestsOf(key: string | null): Json {
    const asked = this.#accounts.filter((account) => account.key === key);
    return asked.map(({ requestId, state, reserved, debit, generation }) => ({
      requestId,
      state,
      reservation: { credits: reserved, state: RESERVATION[state] },
      debit,
      usage: generation === undefined ? null : { input: generation.input, output: generation.output },
      finishReason: generation?.finish ?? null,
    }));
  }

  #fail(requestId: string): Json | undefined {
    const account = this.#accounts.find((each) => each.requestId === requestId);
    if (account?.state !== 'under_review') return undefined;
    account.state = 'failed';
    return {};
  }
}

function ruleOf(given: Json): Rule | undefined {
  if (!isJsonObject(given)) return undefined;
  const { times, ttl } = given;
  const fault = FAULTS.find((known) => known === given['fault']);
  const until = typeof ttl === 'number' ? Date.now() + ttl : Infinity;
  return fault && { fault, times: typeof times === 'number' ? times : Infinity, until, fired: 0 };
}
