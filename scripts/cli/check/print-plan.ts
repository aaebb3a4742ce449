import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { planSpending } from '../../../suites/kit/planning/plan-spending.ts';
import { planJson, planText } from '../../../suites/kit/reporting/plan.ts';
import type { CheckPlan } from './check-plan.ts';
import { knownBefore } from './known-before.ts';
import { noteLine, writeLine } from '../write-line.ts';

/** Prints what a run would send at most, as JSON or for people, and writes it beside the reports. Sends nothing. */
export function printPlan(plan: CheckPlan, form: 'json' | 'text'): void {
  const options = knownBefore(plan);
  const spending = planSpending(options);
  const json = planJson(spending, options);
  writeLine(
    form === 'json'
      ? json.trimEnd()
      : planText(spending, (style, text) => styleText(style, text, { stream: process.stdout })).trimEnd(),
  );
  if (plan.report === undefined) return;
  const file = join(plan.report, 'plan.json');
  writeFileSync(file, json);
  noteLine(`Written: ${file}`);
}
