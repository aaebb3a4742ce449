import { join } from 'node:path';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import {
  planJson,
  planSpending,
  planText,
  type SpendingPlan,
  timeText,
} from '../../../suites/engine/running/spending-plan.ts';
import type { CheckFlags } from '../options/check-table.ts';
import { writeLine } from '../terminal/terminal.ts';
import { saveFile } from '../terminal/write-file.ts';
import type { CheckOptions } from './check-options.ts';
import type { Memory } from './memory.ts';

/** Prints what a run would send at most, as JSON or for people, and writes it beside the reports. Sends nothing. */
export function printPlan(
  options: CheckOptions,
  { json: asJson = false }: Pick<CheckFlags, 'json'>,
  { lastRun }: Pick<Memory, 'lastRun'>,
): void {
  const { run, report } = options;
  const plan = planOf(options);
  const time = { mostMs: run.maxTimeMs, lastRun };
  const json = planJson(plan, run.runs, time);
  writeLine(asJson ? json : planText(plan, time, styleTextFor('stdout')));
  if (report !== undefined) saveFile(join(report, 'plan.json'), `${json}\n`);
}

/** What is known of a run before its preflight. */
export function planOf(options: CheckOptions): SpendingPlan {
  return planSpending(planInputs(options));
}

/** The bundled mock has every key. */
function planInputs({ run, target, control }: CheckOptions) {
  if (target.kind === 'live') return { ...run, target, control };
  const keys = { primary: '', second: '', unscoped: '' };
  return { ...run, target: { ...target, keys }, control: { url: '' } };
}

/** How long the pace of a run makes it, for people. */
export function partLines(options: CheckOptions): readonly string[] {
  const { pace } = options.run;
  const lines: string[] = [];
  if (pace !== undefined) {
    const { total, caps } = planOf(options);
    const taking = (count: number): string =>
      `${timeText((count * pace.perMs) / pace.requests)} for ${count} requests`;
    const isMore = Number.isFinite(caps.requests) && total.requests < caps.requests;
    lines.push(`paced: ${taking(total.requests)}${isMore ? `, at most ${taking(caps.requests)}` : ''}`);
  }
  return lines;
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
