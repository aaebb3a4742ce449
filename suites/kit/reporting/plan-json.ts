import type { PlanOptions } from '../planning/plan-options.ts';
import type { SpendingPlan } from '../planning/spending-plan.ts';
import type { Runs } from '../model/run.ts';
import { finiteCaps } from '../running/finite-caps.ts';

/** The keys of `plan.json`, which others may depend on. */
interface PlanJson extends Omit<SpendingPlan, 'caps'> {
  readonly format: 'chat-conformance/plan';
  readonly version: 1;
  readonly runs: Runs;
  /** Null where there is no cap. */
  readonly caps: { readonly [name in keyof SpendingPlan['caps']]: number | null };
}

/** The text of `plan.json`: what a run would send at most, and what it would exercise. */
export function planJson(plan: SpendingPlan, { runs }: Pick<PlanOptions, 'runs'>): string {
  const json: PlanJson = {
    format: 'chat-conformance/plan',
    version: 1,
    runs,
    caps: finiteCaps(plan.caps),
    atMost: plan.atMost,
    ifKept: plan.ifKept,
    groups: plan.groups,
    clauses: plan.clauses,
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}
