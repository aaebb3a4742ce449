import type { Clause } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds, type ClauseId, type Level } from '../../../fixtures/clauses/clauses.ts';
import { levelOf } from '../../../suites/engine/model/check.ts';
import { type Decides, decidedDuties } from '../../../suites/engine/model/ruling.ts';
import type { Stage } from '../../../suites/engine/model/stimulus.ts';
import { type CallerScenarioName, scenariosOf } from '../../caller/scenarios.ts';
import type { Catalogue } from '../options/select-checks.ts';

/** A check or an invariant, as `list` and `explain` show it. */
export interface CheckEntry {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
  readonly level: Level;
  readonly title: string;
  /** The duties of its clauses that it decides. */
  readonly decides?: readonly string[];
  readonly because?: string;
  /** The stimulus and its stage; `every exchange` for an invariant; for a check of callers, the scenarios. */
  readonly sent:
    | { readonly stimulus: string; readonly stage: Stage }
    | 'every exchange'
    | { readonly scenarios: readonly CallerScenarioName[] };
}

/** A clause and the IDs of its checks. */
export interface ClauseEntry extends Clause {
  readonly id: ClauseId;
  readonly checks: readonly string[];
}

/** Every check, then every invariant, then every check of callers. */
export function checkEntries({ checks, invariants, callerChecks = [] }: Catalogue): readonly CheckEntry[] {
  return [
    ...checks.map((check) => {
      const { name: stimulus, stage } = check.given;
      return entryOf(check, check.level, { stimulus, stage });
    }),
    ...invariants.map((invariant) => entryOf(invariant, levelOf(invariant), 'every exchange')),
    ...callerChecks.map((check) => {
      const scenarios = [...new Set(check.clauses.flatMap(scenariosOf))];
      return entryOf(check, CLAUSES[check.clauses[0]].level, { scenarios });
    }),
  ];
}

interface Described extends Pick<CheckEntry, 'id' | 'clauses' | 'title'> {
  readonly decides?: Decides<never>;
  readonly because?: string;
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

/** Every clause, in the specification's order. */
export function clauseEntries(catalogue: Catalogue): readonly ClauseEntry[] {
  const checks = checkEntries(catalogue);
  return clauseIds().map((id) => {
    const own = checks.filter(({ clauses }) => clauses.includes(id));
    return Object.assign({ id, checks: own.map((check) => check.id) }, CLAUSES[id]);
  });
}
