import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds, type ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { type Check, isOwn, OWN_SECTION, type Invariant } from '../../../suites/engine/model/check.ts';
import { UsageError } from '../terminal/exit.ts';

export interface Catalogue {
  readonly checks: readonly Check[];
  readonly invariants: readonly Invariant[];
  /** Present: the checks only provoke, and nothing but the invariants is judged. */
  readonly judges?: 'invariants';
  /** Present: only a part was selected. See `RunOptions`. */
  readonly selected?: ReadonlySet<string>;
}

/** What a filter reads of a check or an invariant: its ID and its clauses. */
interface Named {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
}

function sections(): readonly string[] {
  return [...new Set(clauseIds().map((id) => CLAUSES[id].section))];
}

/** A check's ID, a clause's ID or a section's name, in either case. */
function names(word: string, { id, clauses }: Named): boolean {
  const wanted = word.toLowerCase();
  if (id.toLowerCase() === wanted) return true;
  if (wanted === OWN_SECTION) return isOwn({ id });
  return clauses.some((clause) => clause.toLowerCase() === wanted || CLAUSES[clause].section === wanted);
}

function reasonWithout(clause: ClauseId): string | undefined {
  const { bound, notYet } = CLAUSES[clause];
  return bound === 'caller' ? `${BOUND_TO_CALLER}; use chat-conformance caller` : notYet;
}

function problemWith(word: string, all: readonly Named[]): string {
  const clause = clauseIds().find((id) => id.toLowerCase() === word.toLowerCase());
  const reason = clause && reasonWithout(clause);
  if (reason !== undefined) return `no check covers ${clause}: ${reason}`;
  const known = [...all.map(({ id }) => id), ...clauseIds(), ...sections()];
  if (isOwn({ id: word.toLowerCase() }))
    return `no check is called "${word}"${didYouMean(word, known) || '; --checks FILE loads checks of your own'}`;
  if (known.includes(word.toLowerCase()) || clause !== undefined) return `no check covers ${word}`;
  return `no check, clause or section is called "${word}"${didYouMean(word, known) || ': chat-conformance list shows them all'}`;
}

function rejectUnknown(words: readonly string[], all: readonly Named[]): void {
  const unknown = words.find((word) => !all.some((item) => names(word, item)));
  if (unknown !== undefined) throw new UsageError(problemWith(unknown, all));
}

function rejectUnknownKinds(send: readonly string[], { checks }: Catalogue): void {
  const kinds = [...new Set(checks.map(({ given }) => given.name))];
  const unknown = send.find((kind) => !kinds.includes(kind));
  if (unknown === undefined) return;
  throw new UsageError(
    `no kind of requests is called "${unknown}"${didYouMean(unknown, kinds) || ': --plan shows them all'}`,
  );
}

/**
 * What a run is to check. Words are check IDs, clause IDs or section names; `send` names stimuli.
 * An invariant is judged on what the checks send, so a selection of invariants alone keeps every check to provoke, and
 * judges none. Every invariant that is not skipped judges what is sent: one may fail where a selected check decides nothing.
 * @throws {UsageError} Given a word that matches nothing, or words that leave nothing.
 */
export function selectChecks(
  all: Catalogue,
  only: readonly string[],
  skip: readonly string[],
  send?: readonly string[],
): Catalogue {
  rejectUnknown([...only, ...skip], [...all.checks, ...all.invariants]);
  rejectUnknownKinds(send ?? [], all);
  const skipped = (item: Named): boolean => skip.some((word) => names(word, item));
  const wanted = (item: Named): boolean => only.length === 0 || only.some((word) => names(word, item));
  const invariants = all.invariants.filter((item) => !skipped(item));
  const selected = invariants.filter(wanted).map(({ id }) => id);
  const isPart = send !== undefined || only.length + skip.length > 0;
  const kept = all.checks.filter((item) => !skipped(item) && (send?.includes(item.given.name) ?? true));
  const named = kept.filter(wanted);
  const isProvokedOnly = named.length === 0 && selected.length > 0;
  const checks = isProvokedOnly ? kept : named;
  if (checks.length === 0) {
    const filters =
      send === undefined ? '--only and --skip leave' : '--only, --skip and --send together leave';
    throw new UsageError(`${filters} no check to run`);
  }
  return {
    checks,
    invariants,
    ...(isPart && { selected: new Set(selected) }),
    ...(isProvokedOnly && { judges: 'invariants' as const }),
  };
}
