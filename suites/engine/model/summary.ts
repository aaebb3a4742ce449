import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { JsonReport } from './report-schema.ts';

// A summary is what a report holds, and `report-schema.ts` says what each member means. A report of another release may
// have clauses that this one does not know; a summary has none.

/** The findings of a run, from which every report is made. */
export interface Summary extends Omit<
  JsonReport,
  'format' | 'version' | 'groups' | 'checks' | 'clauses' | 'open'
> {
  readonly checks: readonly CheckResult[];
  readonly clauses: readonly ClauseResult[];
  readonly open: readonly OpenPointResult[];
}

type JsonCheck = JsonReport['checks'][number];

export interface CheckResult extends Omit<JsonCheck, 'clauses'> {
  readonly clauses: readonly ClauseId[];
}

export interface ClauseResult extends Omit<JsonReport['clauses'][number], 'id'> {
  readonly id: ClauseId;
}

export interface OpenPointResult extends Omit<JsonReport['open'][number], 'clause'> {
  readonly clause: ClauseId;
}

/** The verdict on one check or one clause. `error` is a failure of ours, never the target's. */
export type Verdict = JsonCheck['verdict'];

/** What was seen of a duty. */
export type DutyResult = NonNullable<JsonCheck['duties']>[number];

/** One way in which a check failed; `code` and `path` identify it. */
export type FailureKind = JsonCheck['failures'][number];

export type Evidence = JsonCheck['evidence'][number];

/** One exchange as reports show it: text, with every key taken out and long bodies cut. */
export type ShownExchange = Evidence['exchange'];

export type RunOutcome = JsonReport['outcome'];
export type Spent = JsonReport['spent'];

export type Latency = NonNullable<JsonReport['latency']>[number];

/** A request whose outcome is unknown: to be checked in the workspace. */
export type UncertainRequest = JsonReport['uncertain'][number];

/** Why a run could not begin. */
export type NotBegun = NonNullable<JsonReport['notBegun']>;

/** What usually causes a finding, and what mends it. */
export type Remedy = NonNullable<JsonReport['groups']>[number]['remedies'][number];

/** What a caller did in one scenario, and what each check says of it. */
export type ScenarioResult = NonNullable<JsonReport['scenarios']>[number];

/** One request of a caller. */
export type ScenarioRequest = ScenarioResult['requests'][number];
