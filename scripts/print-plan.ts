import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { PlanOptions } from '../suites/kit/planning/plan-options.ts';
import { planSpending } from '../suites/kit/planning/plan-spending.ts';
import { planJson } from '../suites/kit/reporting/plan-json.ts';
import { planText } from '../suites/kit/reporting/plan-text.ts';
import { KEY_NAMES } from '../suites/kit/sending/key-variables.ts';
import type { CheckPlan } from './check-plan.ts';
import { noteLine, writeLine } from './write-line.ts';

/** Prints what a run would send at most, as JSON or for people, and writes it beside the reports. Sends nothing. */
export function printPlan(plan: CheckPlan, form: 'json' | 'text'): void {
  const options = planOptions(plan);
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

/** What is known of a target before it is asked; the mock that comes with the command has every key. */
function planOptions({ options, destination, profile }: CheckPlan): PlanOptions {
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
