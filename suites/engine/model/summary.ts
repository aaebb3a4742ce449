import type { JsonReport } from './report-schema.ts';

// A summary is what a report holds, and `report-schema.ts` says what each member means.

/** The findings of a run, from which every report is made. */
export type Summary = Omit<JsonReport, 'format' | 'version' | 'groups'>;

export type CheckResult = JsonReport['checks'][number];
export type ClauseResult = JsonReport['clauses'][number];
export type OpenPointResult = JsonReport['open'][number];

/** The verdict on one check or one clause. `error` is a failure of ours, never the target's. */
export type Verdict = CheckResult['verdict'];

/** One way in which a check failed; `code` and `path` identify it. */
export type FailureKind = CheckResult['failures'][number];

export type Evidence = CheckResult['evidence'][number];

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
