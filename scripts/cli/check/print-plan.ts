import { join } from 'node:path';
import { KEY_NAMES } from '../../../suites/kit/model/exchange.ts';
import { planSpending } from '../../../suites/kit/planning/plan-spending.ts';
import type { PlanOptions } from '../../../suites/kit/planning/spending-plan.ts';
import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { planJson, planText } from '../../../suites/kit/reporting/plan.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { writeWhole } from '../terminal/write-file.ts';
import type { CheckOptions } from './check-options.ts';

/** Prints what a run would send at most, as JSON or for people, and writes it beside the reports. Sends nothing. */
export function printPlan(plan: CheckOptions, form: 'json' | 'text'): void {
  const options = planInputs(plan);
  const spending = planSpending(options);
  const json = planJson(spending, options);
  writeLine(form === 'json' ? json.trimEnd() : planText(spending, styleTextFor('stdout')).trimEnd());
  if (plan.report === undefined) return;
  const file = join(plan.report, 'plan.json');
  writeWhole(file, json);
  noteLine(`Written: ${file}`);
}

/** What is known of a run before its preflight; the bundled mock has every key. */
export function planInputs({ run: options, destination, profile }: CheckOptions): PlanOptions {
  if (destination.kind === 'mock')
    return { ...options, kind: 'mock', profile, keys: new Set(KEY_NAMES), control: true };
  const { keys, control } = destination;
  return {
    ...options,
    kind: 'live',
    profile,
    keys: new Set(KEY_NAMES.filter((name) => keys[name] !== undefined)),
    control: control !== undefined,
  };
}
