import { resolve } from 'node:path';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { type Check, isOwn, OWN_PREFIX, OWN_SECTION, ownCheck } from '../../../suites/engine/model/check.ts';
import type { RunOptions } from '../../../suites/engine/model/run.ts';
import { STAGES } from '../../../suites/engine/model/stimulus.ts';
import { FileError, validated } from '../../../suites/engine/text/read-json-file.ts';
import type { CheckFlags } from '../options/check-table.ts';
import type { Schemas } from '../options/option.ts';
import { invocation } from '../terminal/own-package.ts';
import { UsageError } from '../terminal/terminal.ts';
import { importModule, shownPath } from './import-module.ts';

export type Catalogue = Pick<RunOptions, 'checks' | 'invariants' | 'judges' | 'selected'>;

/** Everything that can be checked: the catalogue, and what the user's own module declares. */
export async function catalogueOf({ checks: path }: Pick<CheckFlags, 'checks'>): Promise<Catalogue> {
  const own = path === undefined ? [] : await loadChecks(path);
  return { checks: [...CHECKS, ...own], invariants: INVARIANTS };
}

/** What names a check and its stimulus in reports and journals; the rest fails where it is used. */
function ownChecks(z: Schemas) {
  const error = `must begin with ${OWN_PREFIX}, and be words in small letters, joined by hyphens`;
  const clause = z.enum(clauseIds(), { error: 'must be the ID of a clause, such as REQ-6' });
  const check = z.object({
    id: z.string({ error }).regex(/^x(?:-[a-z\d]+)+$/, { error }),
    clauses: z.array(clause).exactOptional(),
    title: z.string().min(1),
    given: z.object({ name: z.string(), stage: z.enum(STAGES) }),
    holds: z.custom<object>((value) => typeof value === 'function', { error: 'must be a function' }),
  });
  return z.array(check, { error: 'must be a list of checks' }).min(1, 'must hold at least one check');
}

/** The checks that a module of the user declares: its default export, or what it exports as `checks`. */
async function loadChecks(path: string): Promise<readonly Check[]> {
  const file = resolve(path);
  const shown = shownPath(file);
  const exported = await importModule(file);
  const list = exported['default'] ?? exported['checks'];
  if (list === undefined)
    throw new FileError(`${shown} has neither a default export nor "checks": export default [check({ … })]`);
  // A run without checks of the user's own does not need it.
  const { z } = await import('zod');
  validated(list, shown, 'list of checks', ownChecks(z));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy that zod has made shares no stimuli
  const checks = (list as readonly Parameters<typeof ownCheck>[0][]).map((each) => ownCheck(each));
  const stimuli = new Map(CHECKS.map(({ given }) => [given.name, given]));
  // Two checks of one ID, or two stimuli of one name, could not be told apart in a report or a journal.
  for (const [i, { id, given }] of checks.entries()) {
    const { name } = given;
    if (checks.findIndex((each) => each.id === id) < i)
      throw new FileError(`${shown}#/${i}/id: ${id} is declared twice`);
    const known = stimuli.get(name);
    const place = `${shown}#/${i}/given/name`;
    if (known === undefined && !name.startsWith(OWN_PREFIX))
      throw new FileError(`${place}: ${name} must begin with ${OWN_PREFIX}`);
    if (known !== undefined && known !== given)
      throw new FileError(`${place}: another stimulus is called ${name}`);
    stimuli.set(name, given);
  }
  return checks;
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
    const reason = isCallers ? `: ${BOUND_TO_CALLER}; use ${invocation()} caller` : '';
    return `no check covers ${clause ?? lower}${reason}`;
  }
  const known = [...all.map(({ id }) => id), ...clauseIds(), ...new Set(sections)];
  const way = isOwn({ id: lower })
    ? '; --checks FILE loads checks of your own'
    : `: ${invocation()} list shows them all`;
  return `no check, clause or section is called "${word}"${didYouMean(word, known) || way}`;
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
  const named: readonly Named[] = [...all.checks, ...all.invariants];
  const unknown = [...only, ...skip].find((word) => !named.some((item) => isNamed(item, [word])));
  if (unknown !== undefined) throw new UsageError(problemWith(unknown, named));
  const kinds = [...new Set(all.checks.map(({ given }) => given.name))];
  const wrong = send?.find((kind) => !kinds.includes(kind));
  if (wrong !== undefined)
    throw new UsageError(
      `no kind of requests is called "${wrong}"${didYouMean(wrong, kinds) || ': --plan shows them all'}`,
    );
  const wanted = (item: Named): boolean => only.length === 0 || isNamed(item, only);
  const invariants = all.invariants.filter((item) => !isNamed(item, skip));
  const selected = invariants.filter(wanted).map(({ id }) => id);
  const kept = all.checks.filter((item) => !isNamed(item, skip) && (send?.includes(item.given.name) ?? true));
  const asked = kept.filter(wanted);
  const isProvokedOnly = asked.length === 0 && selected.length > 0;
  const checks = isProvokedOnly ? kept : asked;
  if (checks.length === 0) throw new UsageError('--only, --skip and --send leave no check to run');
  const isPart = send !== undefined || only.length + skip.length > 0;
  return {
    checks,
    invariants,
    selected: isPart ? new Set(selected) : undefined,
    judges: isProvokedOnly ? 'invariants' : undefined,
  };
}
