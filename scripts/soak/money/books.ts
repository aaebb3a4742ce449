import type { Resolution, RequestState } from '../../../mock-server/workspace/ledger.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { type HeldCall, type Sent, SLOTS, workspaceOf } from './held-service.ts';
import type { LossCase } from './money-commands.ts';

const RETENTION_MS = builtInWorld.choices.idempotency.retentionSeconds * 1000;

/** Six tokens of input at 1; every output is as long as it may be, at 2 a token. */
const costOf = (outputTokens: number): number => 6 + outputTokens * 2;

/** What the model of this test knows of a request. */
export interface Known {
  readonly sent: Sent;
  readonly call: HeldCall;
  state: RequestState | 'absent';
  debit: number | null;
  outcome: string | undefined;
  holdsSlot: boolean;
}

interface KeyUse {
  /** When it was first used. */
  readonly at: number;
  readonly outputTokens: number;
  state: 'pending' | 'review' | 'answered';
}

/** The expected workspace, in the simplest form. */
export class Books {
  readonly known: Known[] = [];
  readonly waiting: { known: Known; next: 'begin' | 'generate' | 'finish' }[] = [];
  readonly #keys = new Map<string, KeyUse>();

  readonly granted: number;
  #now = 0;

  constructor(granted: number) {
    this.granted = granted;
  }

  /** What a workspace has spent, and what it holds back. */
  account(workspace: string): { debited: number; held: number } {
    const own = this.known.filter(({ sent }) => workspaceOf(sent.client) === workspace);
    const sum = (states: readonly Known['state'][], of: (known: Known) => number): number =>
      own.filter(({ state }) => states.includes(state)).reduce((total, known) => total + of(known), 0);
    return {
      debited: sum(['succeeded'], ({ debit }) => debit ?? 0),
      held: sum(['running', 'under_review'], ({ sent }) => costOf(sent.outputTokens)),
    };
  }

  sent(sent: Sent, call: HeldCall): void {
    const known: Known = { sent, call, state: 'absent', debit: null, outcome: undefined, holdsSlot: false };
    this.known.push(known);
    const { becomes, fault, waits } = sent.lossCase;
    if (becomes === 'lost early') known.outcome = 'lost';
    else if (becomes === 'refused early') known.outcome = fault ?? '';
    else if (waits === 'late before') this.waiting.push({ known, next: 'begin' });
    else this.#begin(known);
  }

  released(index: number): void {
    const [wait] = this.waiting.splice(index, 1);
    if (wait?.next === 'begin') this.#begin(wait.known);
    else if (wait?.next === 'generate') this.waiting.push({ known: wait.known, next: 'finish' });
    else if (wait !== undefined) this.#finish(wait.known);
  }

  advanced(ms: number): void {
    this.#now += ms;
  }

  /** The caller has gone. The model runs on, and what it needs is paid for. */
  aborted(known: Known): void {
    this.#end(known, 'gone');
  }

  resolved(known: Known, resolution: Resolution): void {
    if (resolution === 'completed') this.#succeed(known);
    else this.#fail(known);
  }

  #begin(known: Known): void {
    const { outputTokens, lossCase } = known.sent;
    const use = this.#useOf(known.sent);
    const refusal = use === undefined ? this.#refusal(known.sent) : repeated(use, known.sent);
    if (refusal !== undefined) {
      known.outcome ??= refusal;
      return;
    }
    known.state = 'running';
    const place = placeOf(known.sent);
    if (place !== null) this.#keys.set(place, { outputTokens, state: 'pending', at: this.#now });
    this.#applyFault(known, lossCase);
  }

  #refusal({ client, outputTokens }: Sent): string | undefined {
    const busy = this.known.filter(({ holdsSlot, sent }) => holdsSlot && sent.client === client);
    if (busy.length >= SLOTS) return 'rate_limit';
    const { debited, held } = this.account(workspaceOf(client));
    return costOf(outputTokens) > this.granted - debited - held ? 'insufficient_credits' : undefined;
  }

  /** An answered key is forgotten after its retention; any other is not. */
  #useOf(sent: Sent): KeyUse | undefined {
    const place = placeOf(sent);
    const use = place === null ? undefined : this.#keys.get(place);
    return use?.state === 'answered' && this.#now - use.at > RETENTION_MS ? undefined : use;
  }

  #applyFault(known: Known, { fault, becomes, waits }: LossCase): void {
    const isLost = becomes === 'under_review' || fault?.includes('then=') === true;
    if (isLost) known.outcome ??= 'lost';
    known.holdsSlot = known.outcome === undefined;
    if (waits === 'model') this.waiting.push({ known, next: 'finish' });
    else if (waits === 'late') this.waiting.push({ known, next: 'generate' });
    else if (waits === 'late before') this.waiting.push({ known, next: 'finish' });
    else if (becomes === 'under_review') this.#review(known);
    else {
      this.#fail(known);
      this.#end(known, fault?.split(' ')[0] ?? '');
    }
  }

  #finish(known: Known): void {
    if (known.sent.lossCase.becomes === 'failed') {
      this.#fail(known);
      return;
    }
    this.#succeed(known);
    if (known.outcome === undefined) this.#end(known, losesAnswer(known.sent) ? 'lost' : 'served');
  }

  #end(known: Known, outcome: string): void {
    known.outcome ??= outcome;
    known.holdsSlot = false;
  }

  #review(known: Known): void {
    known.state = 'under_review';
    this.#use(known, 'review');
  }

  #succeed(known: Known): void {
    known.state = 'succeeded';
    known.debit = costOf(known.sent.outputTokens);
    this.#use(known, 'answered');
  }

  #fail(known: Known): void {
    known.state = 'failed';
    const place = placeOf(known.sent);
    if (place !== null) this.#keys.delete(place);
  }

  #use({ sent }: Known, state: KeyUse['state']): void {
    const place = placeOf(sent);
    const use = place === null ? undefined : this.#keys.get(place);
    if (use !== undefined) use.state = state;
  }
}

/** Keys count in their workspace. */
function placeOf({ client, key }: Sent): string | null {
  return key === null ? null : `${workspaceOf(client)} ${key}`;
}

function losesAnswer({ lossCase: { fault } }: Sent): boolean {
  return fault !== null && /phase=(?:after-debit|before-headers)/.test(fault);
}

function repeated({ outputTokens, state }: KeyUse, sent: Sent): string {
  if (state === 'review') return 'idempotency_under_review';
  if (outputTokens !== sent.outputTokens) return 'idempotency_mismatch';
  if (state === 'pending') return 'idempotency_in_flight';
  return sent.lossCase.fault?.includes('before-headers') === true ? 'lost' : 'again';
}
