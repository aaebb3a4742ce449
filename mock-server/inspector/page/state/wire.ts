import type { JournalEntry } from '../../../journal/journal.ts';

/** What the control API answers, as far as the page reads it. */

/** A change of the ledger, as a journal entry has it. */
export interface LedgerLine {
  readonly state: 'running' | 'succeeded' | 'failed' | 'under_review';
  readonly reservation: 'held' | 'consumed' | 'released' | 'under_review';
  readonly reserved: number;
  readonly debit: number | null;
}

/** A world, by the ID of its sandbox; null: the mock's own. */
export type WorldId = string | null;

/** An event `worlds`: requests of a world up to `since` are gone. */
export interface WorldsEvent {
  readonly mock: string;
  readonly worlds: readonly { readonly sandbox: WorldId; readonly since: number }[];
}

export interface ClockAnswer {
  readonly kind: 'real' | 'frozen';
  readonly now: string;
}

export interface WorldAnswer {
  readonly id: WorldId;
  readonly url: string;
  readonly seed: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly clock: ClockAnswer;
}

export interface RuleAnswer {
  readonly id: string;
  readonly fault: string;
  readonly phase: string;
  readonly rule: Readonly<Record<string, unknown>>;
  readonly seen: number;
  readonly fired: number;
  readonly over: boolean;
}

export interface FaultsAnswer {
  readonly rules: readonly RuleAnswer[];
}

export interface AccountAnswer {
  readonly workspace: string;
  readonly granted: number;
  readonly debited: number;
  readonly held: number;
  readonly available: number;
}

export interface WorkspaceAnswer {
  readonly keys: Readonly<Record<string, AccountAnswer>>;
  readonly invariants: readonly string[];
}

export interface LedgerRequest {
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly workspace: string | null;
  readonly state: LedgerLine['state'] | 'unreserved';
  readonly reservation: { readonly credits: number; readonly state: LedgerLine['reservation'] } | null;
  readonly debit: number | null;
  readonly usage: { readonly input: number; readonly output: number } | null;
}

/** Of a report of the judge. */
export interface JudgeAnswer {
  readonly outcome: string;
  readonly checks: readonly {
    readonly id: string;
    readonly clauses: readonly string[];
    readonly title: string;
    readonly verdict: string;
    readonly reason: string;
  }[];
}

/** The latest state of the money of a request; undefined: nothing was reserved. */
export function moneyOf({ ledger }: Pick<JournalEntry, 'ledger'>): LedgerLine | undefined {
  const latest = ledger.at(-1);
  return latest !== undefined && isLedgerLine(latest) ? latest : undefined;
}

function isLedgerLine(change: object): change is LedgerLine {
  return 'reservation' in change && 'reserved' in change;
}
