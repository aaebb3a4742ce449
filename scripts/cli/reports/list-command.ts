import type { Clause } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds, type ClauseId, type Level } from '../../../fixtures/clauses/clauses.ts';
import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { type Check, levelOf } from '../../../suites/engine/model/check.ts';
import { type Decides, decidedDuties } from '../../../suites/engine/model/ruling.ts';
import type { Stage } from '../../../suites/engine/model/stimulus.ts';
import { type CallerScenarioName, scenariosOf } from '../../caller/scenarios.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { LIST_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import type { Catalogue } from '../options/select-checks.ts';
import { writeLine } from '../terminal/output.ts';

/** A check or an invariant, as `list` and `explain` show it. */
export type CheckEntry = ReturnType<typeof entryOf>;

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

function clauseText({ id, level, bound, statement, checks }: ClauseEntry): string {
  return `  ${id}  ${level}, ${bound}\n      ${statement}\n      ${checks.join(' ') || 'no check'}`;
}

/** Of every check, then every invariant, then every check of callers; and of every clause. */
export function entriesOf({ checks, invariants }: Catalogue): Entries {
  const entries = [
    ...checks.map((check) => entryOf(check, { stimulus: check.given.name, stage: check.given.stage })),
    ...invariants.map((invariant) => entryOf(invariant, 'every exchange')),
    ...CALLER_CHECKS.map((check) =>
      entryOf(check, { scenarios: [...new Set(check.clauses.flatMap(scenariosOf))] }),
    ),
  ];
  const clauses = clauseIds().map((id) => {
    const own = entries.filter((entry) => entry.clauses.includes(id));
    return Object.assign({ id, checks: own.map((check) => check.id) }, CLAUSES[id]);
  });
  return { checks: entries, clauses };
}

/** The stimulus and its stage; `every exchange` for an invariant; for a check of callers, the scenarios. */
type Sent =
  | { readonly stimulus: string; readonly stage: Stage }
  | 'every exchange'
  | { readonly scenarios: readonly CallerScenarioName[] };

interface Described extends Pick<Check, 'id' | 'clauses' | 'title'> {
  readonly level?: Level;
  readonly because?: string;
  readonly decides?: Decides<never>;
}

/** The duties are those of its clauses that it decides. */
function entryOf(check: Described, sent: Sent) {
  const { id, clauses, title, decides, because } = check;
  const duties = decides === undefined ? undefined : [decidedDuties(decides)].flat();
  return { id, clauses, level: levelOf(check), title, sent, decides: duties, because };
}
