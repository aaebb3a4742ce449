import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { type Check, isOwn, OWN_SECTION, type Invariant } from '../../../suites/engine/model/check.ts';
import { UsageError } from '../terminal/exit.ts';
import type { CheckFlags } from './check-table.ts';

export interface Catalogue {
  readonly checks: readonly Check[];
  readonly invariants: readonly Invariant[];
  /** Present: the checks only provoke, and nothing but the invariants is judged. */
  readonly judges?: 'invariants' | undefined;
  /** Present: only a part was selected. See `RunOptions`. */
  readonly selected?: ReadonlySet<string> | undefined;
}

/** What a filter reads of a check or an invariant. */
type Named = Pick<Check, 'id' | 'clauses'>;

/** Whether a word is the check's ID, a clause's ID or a section's name, in either case. */
function isNamed({ id, clauses }: Named, words: readonly string[]): boolean {
  const wanted = new Set<string>(words.map((word) => word.toLowerCase()));
  if (wanted.has(id.toLowerCase()) || (isOwn({ id }) && wanted.has(OWN_SECTION))) return true;
  return clauses.some((each) => wanted.has(each.toLowerCase()) || wanted.has(CLAUSES[each].section));
}

function problemWith(word: string, all: readonly Named[]): string {
  const lower = word.toLowerCase();
  const clause = clauseIds().find((id) => id.toLowerCase() === lower);
  const sections = clauseIds().map((id) => CLAUSES[id].section);
  if (clause !== undefined || sections.some((section) => section === lower)) {
    const isCallers = clause !== undefined && CLAUSES[clause].bound === 'caller';
    const reason = isCallers ? `: ${BOUND_TO_CALLER}; use chat-conformance caller` : '';
    return `no check covers ${clause ?? lower}${reason}`;
  }
  const known = [...all.map(({ id }) => id), ...clauseIds(), ...new Set(sections)];
  const way = isOwn({ id: lower })
    ? '; --checks FILE loads checks of your own'
    : ': chat-conformance list shows them all';
  return `no check, clause or section is called "${word}"${didYouMean(word, known) || way}`;
}

function rejectUnknown(all: readonly Named[], words: readonly string[]): void {
  const unknown = words.find((word) => !all.some((item) => isNamed(item, [word])));
  if (unknown !== undefined) throw new UsageError(problemWith(unknown, all));
}

function rejectUnknownKinds(checks: readonly Check[], send: readonly string[]): void {
  const kinds = [...new Set(checks.map(({ given }) => given.name))];
  const wrong = send.find((kind) => !kinds.includes(kind));
  if (wrong === undefined) return;
  const hint = didYouMean(wrong, kinds) || ': --plan shows them all';
  throw new UsageError(`no kind of requests is called "${wrong}"${hint}`);
}

/**
 * What a run is to check. Words are check IDs, clause IDs or section names; `send` names stimuli.
 * An invariant is judged on what the checks send, so a selection of invariants alone keeps every check to provoke, and
 * judges none. Every invariant that is not skipped judges what is sent: one may fail where a selected check decides nothing.
 * @throws {UsageError} Given a word that matches nothing, or words that leave nothing.
 */
export function selectChecks(
  all: Catalogue,
  { only = [], skip = [], send }: Pick<CheckFlags, 'only' | 'skip' | 'send'>,
): Catalogue {
  rejectUnknown([...all.checks, ...all.invariants], [...only, ...skip]);
  rejectUnknownKinds(all.checks, send ?? []);
  const wanted = (item: Named): boolean => only.length === 0 || isNamed(item, only);
  const invariants = all.invariants.filter((item) => !isNamed(item, skip));
  const selected = invariants.filter(wanted).map(({ id }) => id);
  const kept = all.checks.filter((item) => !isNamed(item, skip) && (send?.includes(item.given.name) ?? true));
  const named = kept.filter(wanted);
  const isProvokedOnly = named.length === 0 && selected.length > 0;
  const checks = isProvokedOnly ? kept : named;
  if (checks.length === 0) throw new UsageError('--only, --skip and --send leave no check to run');
  const isPart = send !== undefined || only.length + skip.length > 0;
  return {
    checks,
    invariants,
    selected: isPart ? new Set(selected) : undefined,
    judges: isProvokedOnly ? 'invariants' : undefined,
  };
}
