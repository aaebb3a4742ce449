import { type Mock, type MockOptions, startMock as startHost } from '../mock-server/start-mock.ts';

export type { Control } from '../suites/engine/model/deployment.ts';
export type { FaultWords } from '../mock-server/faults/compile-faults.ts';
export type { RequestFilter, SentRequest } from '../mock-server/journal/sent-requests.ts';
export type { Mock, MockOptions } from '../mock-server/start-mock.ts';
export { builtInWorld } from '../mock-server/world/built-in-world.ts';
export { readWorld } from '../mock-server/world/world-file.ts';
export type { WorldPart, World } from '../mock-server/world/world-schema.ts';
export { CHECKS, INVARIANTS } from '../suites/catalogue.ts';
export type { Invariant } from '../suites/engine/model/check.ts';
export { KeyRefused, TargetUnreachable } from '../suites/engine/running/first-answer.ts';
export type { PlanOptions } from '../suites/engine/running/planned-draws.ts';
export { planSpending, type SpendingPlan } from '../suites/engine/running/spending-plan.ts';
export { readProfile } from '../suites/engine/files/read-profile.ts';
export type { Profile } from '../suites/engine/model/target.ts';
export { jsonReport } from '../suites/engine/reports/json-report.ts';
export { runSuites } from '../suites/engine/running/run-suites.ts';
export type { Caps, Keys, Progress, RunOptions, Target } from '../suites/engine/model/run.ts';
export type {
  CheckResult,
  ClauseResult,
  Evidence,
  OpenPointResult,
  Spent,
  Summary,
  UncertainRequest,
} from '../suites/engine/model/summary.ts';
export type { RunOutcome, Verdict } from '../suites/engine/model/summary.ts';

export * from './checks.ts';

export { defineConfig } from './cli/config/define-config.ts';
export type { Configuration, Settings } from './cli/config/configuration.ts';

/**
 * Starts a mock on a port of its own. Many can run in one process, and share nothing. Resolves once the socket listens. Rejects
 * with one line for a wrong option and its place, or with Node's error for a port that it cannot use.
 */
export const startMock: (options?: MockOptions) => Promise<Mock> = startHost;
