import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import {
  planJson,
  planSpending,
  planText,
  type SpendingPlan,
} from '../../../suites/engine/running/spending-plan.ts';
import { writeLine } from '../terminal/terminal.ts';
import type { CheckOptions } from './check-options.ts';

/** Prints what a run would send at most, as JSON or for people. Sends nothing. */
export function printPlan(options: CheckOptions, asJson = false): void {
  const plan = planOf(options);
  writeLine(asJson ? planJson(plan, options.run.runs) : planText(plan, styleTextFor('stdout')));
}

/** What is known of a run before its preflight. The bundled mock has every key. */
export function planOf({ run, target, control }: CheckOptions): SpendingPlan {
  if (target.kind === 'live') return planSpending({ ...run, target, control });
  const keys = { primary: '', second: '', unscoped: '' };
  return planSpending({ ...run, target: { ...target, keys }, control: { url: '' } });
}

/** Where the keys of a run go, unless it checks the bundled mock. */
export function targetLines({ target, control }: CheckOptions): readonly string[] {
  if (target.kind === 'mock') return [];
  return [
    `checking ${target.baseUrl}${control === undefined ? '' : `, with its control API at ${control.url}`}`,
  ];
}

/** How little a live target is sent, and how it is sent more, unless that was asked for. */
export function capsLines({ target, run: { caps, runs } }: CheckOptions): readonly string[] {
  if (runs !== 'few' || target.kind === 'mock') return [];
  const { requests, completions } = caps;
  return [
    `at most ${requests} requests and ${completions} completions: where completions are free, --tier exhaustive tries every input`,
  ];
}
