import type { Clause } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds, type ClauseId, type Level } from '../../../fixtures/clauses/clauses.ts';
import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { levelOf } from '../../../suites/engine/model/check.ts';
import { type Decides, decidedDuties } from '../../../suites/engine/model/ruling.ts';
import type { Stage } from '../../../suites/engine/model/stimulus.ts';
import { type CallerScenarioName, scenariosOf } from '../../caller/scenarios.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { LIST_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import type { Catalogue } from '../options/select-checks.ts';
import { writeLine } from '../terminal/output.ts';

/** A check or an invariant, as `list` and `explain` show it. */
export interface CheckEntry {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
  readonly level: Level;
  readonly title: string;
  /** The stimulus and its stage; `every exchange` for an invariant; for a check of callers, the scenarios. */
  readonly sent:
    | { readonly stimulus: string; readonly stage: Stage }
    | 'every exchange'
    | { readonly scenarios: readonly CallerScenarioName[] };
  /** The duties of its clauses that it decides. */
  readonly decides?: readonly string[];
  readonly because?: string;
}

/** A clause and the IDs of its checks. */
export interface ClauseEntry extends Clause {
  readonly id: ClauseId;
  readonly checks: readonly string[];
}

/** All that is listed: clauses in the specification's order. */
export interface Entries {
  readonly checks: readonly CheckEntry[];
  readonly clauses: readonly ClauseEntry[];
}

/** `chat-conformance list`: every check, and every clause with its checks. */
export async function runListCommand({
  json = false,
  ...flags
}: FlagsOf<typeof LIST_OPTIONS>): Promise<void> {
  const entries = entriesOf(await catalogueOf(flags));
  if (json) return writeLine(JSON.stringify(entries, undefined, 2));
  const lines = [
    'Checks',
    ...entries.checks.map(checkText),
    '',
    'Clauses',
    ...entries.clauses.map(clauseText),
  ];
  writeLine(lines.join('\n'));
}

function checkText({ id, clauses, level, title }: CheckEntry): string {
  return `  ${id}  ${[...clauses, `(${level})`].join(' ')}\n      ${title}`;
}

function clauseText({ id, level, bound, statement, checks, notYet }: ClauseEntry): string {
  const covered =
    checks.length > 0 ? checks.join(' ') : `no check${notYet === undefined ? '' : `: ${notYet}`}`;
  return `  ${id}  ${level}, ${bound}\n      ${statement}\n      ${covered}`;
}

/** Of every check, then every invariant, then every check of callers; and of every clause. */
export function entriesOf({ checks, invariants }: Catalogue): Entries {
  const entries = [
    ...checks.map((check) => {
      const { name: stimulus, stage } = check.given;
      return entryOf(check, check.level, { stimulus, stage });
    }),
    ...invariants.map((invariant) => entryOf(invariant, levelOf(invariant), 'every exchange')),
    ...CALLER_CHECKS.map((check) => {
      const scenarios = [...new Set(check.clauses.flatMap(scenariosOf))];
      return entryOf(check, CLAUSES[check.clauses[0]].level, { scenarios });
    }),
  ];
  const clauses = clauseIds().map((id) => {
    const own = entries.filter((entry) => entry.clauses.includes(id));
    return Object.assign({ id, checks: own.map((check) => check.id) }, CLAUSES[id]);
  });
  return { checks: entries, clauses };
}

interface Described extends Omit<CheckEntry, 'level' | 'sent' | 'decides'> {
  readonly decides?: Decides<never>;
}

function entryOf(
  { id, clauses, title, decides, because }: Described,
  level: Level,
  sent: CheckEntry['sent'],
): CheckEntry {
  return {
    id,
    clauses,
    level,
    title,
    sent,
    ...(decides !== undefined && { decides: [decidedDuties(decides)].flat() }),
    ...(because !== undefined && { because }),
  };
}
