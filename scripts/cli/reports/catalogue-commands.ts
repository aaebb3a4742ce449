import type { Clause } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { type Check, levelOf } from '../../../suites/engine/model/check.ts';
import { type Decides, decidedDuties } from '../../../suites/engine/model/ruling.ts';
import { scenariosOf } from '../../caller/scenarios.ts';
import { type Catalogue, catalogueOf } from '../modules/catalogue.ts';
import type { LIST_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import { writeLine } from '../terminal/terminal.ts';

/** `chat-conformance list`: every check, and every clause with its checks. */
export async function runListCommand({ json, ...flags }: FlagsOf<typeof LIST_OPTIONS>): Promise<void> {
  const entries = entriesOf(await catalogueOf(flags));
  if (json === true) return writeLine(JSON.stringify(entries, undefined, 2));
  writeLine(['Checks', ...entries.checks.map(checkText)].join('\n'));
  writeLine(['\nClauses', ...entries.clauses.map(clauseText)].join('\n'));
}

function checkText({ id, clauses, level, title }: CheckEntry): string {
  return `  ${id}  ${[...clauses, `(${level})`].join(' ')}\n      ${title}`;
}

function clauseText({ id, level, bound, statement, checks }: ClauseEntry): string {
  return `  ${id}  ${level}, ${bound}\n      ${statement}\n      ${checks.join(' ') || 'no check'}`;
}

type Entries = ReturnType<typeof entriesOf>;
export type CheckEntry = Entries['checks'][number];
/** With the IDs of its checks. */
export type ClauseEntry = Entries['clauses'][number];

/** Every check, then every invariant, then every check of callers; and every clause, in the specification's order. */
export function entriesOf({ checks, invariants }: Catalogue) {
  const entries = [
    ...checks.map((check) => entryOf(check, { stimulus: check.given.name, stage: check.given.stage })),
    ...invariants.map((invariant) => entryOf(invariant, 'every exchange')),
    ...CALLER_CHECKS.map((check) =>
      entryOf(check, { scenarios: [...new Set(check.clauses.flatMap(scenariosOf))] }),
    ),
  ];
  const clauses = clauseIds().map((id) => {
    const clause: Clause = CLAUSES[id];
    const own = entries.filter((entry) => entry.clauses.includes(id));
    return { id, checks: own.map((check) => check.id), ...clause };
  });
  return { checks: entries, clauses };
}

/** What provokes it: a stimulus, which belongs to a stage; nothing, for an invariant; or scenarios of callers. */
type Sent =
  | { readonly stimulus: string; readonly stage: string }
  | 'every exchange'
  | { readonly scenarios: readonly string[] };

type Described = Pick<Check, 'id' | 'clauses' | 'title' | 'because'> & Parameters<typeof levelOf>[0];

/** The duties are those of its clauses that it decides. */
function entryOf(check: Described & { readonly decides?: Decides<never> }, sent: Sent) {
  const { id, clauses, title, decides, because } = check;
  const duties = decides === undefined ? undefined : [decidedDuties(decides)].flat();
  return { id, clauses, level: levelOf(check), title, sent, decides: duties, because };
}
