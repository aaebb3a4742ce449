export type { Control } from '../suites/kit/model/deployment.ts';
export type { FaultWords } from '../mock-server/faults/rule.ts';
export { startMock, type Mock, type MockOptions } from '../mock-server/start-mock.ts';
export type { World } from '../mock-server/world/world.ts';
export { CHECKS } from '../suites/catalogue.ts';
export { INVARIANTS } from '../suites/invariants.ts';

export type { Invariant } from '../suites/kit/model/invariant.ts';
export { KeyRefused, TargetUnreachable } from '../suites/kit/preflight/discover-target.ts';
export { planOptionsOf, type PlanOptions } from '../suites/kit/planning/planned-stimuli.ts';
export { planSpending, type SpendingPlan } from '../suites/kit/planning/spending-plan.ts';
export { readProfile } from './read-profile-late.ts';
export type { Profile } from '../suites/kit/model/target.ts';
export { jsonReport } from '../suites/kit/reporting/json-report.ts';
export { runSuites } from '../suites/kit/running/run-suites.ts';
export type { Caps, Keys, Progress, RunOptions, Target } from '../suites/kit/model/run.ts';
export type {
  CheckResult,
  ClauseResult,
  Evidence,
  OpenPointResult,
  Spent,
  Summary,
  UncertainRequest,
} from '../suites/kit/model/summary.ts';
export type { RunOutcome, Verdict } from '../suites/kit/model/summary.ts';

export * from './checks.ts';

export { defineConfig } from './cli/config/define-config.ts';
export type { Configuration, Settings } from './cli/config/configuration-schema.ts';
