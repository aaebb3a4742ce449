import { type Runs, finiteCaps } from '../model/run.ts';
import type { StyleText } from '../reports/colours.ts';
import { tableLines, wrapWords } from '../reports/columns.ts';
import { counted } from '../reports/display-verdict.ts';
import { clauseTable } from '../reports/tables.ts';
import type { PlannedStage, Spending, SpendingPlan } from './spending-plan.ts';

/** How long a run takes, in milliseconds, as far as that is known. */
export interface PlannedTime {
  /** After which nothing more is sent. */
  readonly mostMs?: number | undefined;
  /** Where a completion takes so long, and so many are asked for at once. */
  readonly atLatency?:
    | { readonly latencyMs: number; readonly concurrency: number; readonly leastMs: number }
    | undefined;
  /** What the last run of the target sent, and how long it took. */
  readonly lastRun?: { readonly requests: number; readonly ms: number } | undefined;
}

/** The text of `plan.json`, on whose keys others may depend; a cap is null where there is none. */
export function planJson(
  { caps, total, stages, clauses }: SpendingPlan,
  runs: Runs,
  time: PlannedTime,
): string {
  const head = { format: 'chat-conformance/plan', version: 2, runs, caps: finiteCaps(caps), time };
  const exercised = clauses.map(({ id, verdict, reason }) => ({
    id,
    exercised: verdict !== 'not-exercised',
    reason,
  }));
  return `${JSON.stringify({ ...head, total, stages, clauses: exercised }, undefined, 2)}\n`;
}

const WIDTH = 110;

const TITLES: Readonly<Record<PlannedStage['stage'], string>> = {
  preflight: 'preflight',
  free: 'free: reads, and what must be refused',
  paid: 'paid',
  control: 'with --control-url',
  disruptive: 'disruptive',
  costly: 'costly',
  counterparts: 'counterparts, which all of these share',
};

/** A plan for people. */
export function planText(
  { caps, stages, total, clauses }: SpendingPlan,
  time: PlannedTime,
  styleText: StyleText,
): string {
  return [
    `Nothing was sent. ${capsLine(caps)}`,
    ...timeLines(time),
    '',
    styleText('bold', row('By what is known before a run, at most', 'requests', 'completions')),
    ...stages.flatMap(stageLines),
    spendingRow('all, as long as nothing fails', total),
    '',
    'A target that lists more models, or says more of them, is sent more, up to the limits. In brackets: inputs of a kind',
    '(--send takes its name), and the completions of a service that also serves what it must refuse.',
    '',
    styleText('bold', 'Clauses, where all holds that is sent'),
    ...tableLines(clauseTable({ clauses }), styleText),
    '',
  ].join('\n');
}

/** The kinds of requests as `--send` takes them, each with the number of its inputs. */
function stageLines({ stage, kinds, ...spending }: PlannedStage): readonly string[] {
  const line = spendingRow(TITLES[stage], spending);
  const names = kinds.map(({ name, inputs }) => `${name} (${inputs})`);
  return names.length === 0 ? [line] : [line, wrapWords('    ', names, WIDTH)];
}

function capsLine({ requests, completions, outputTokens }: SpendingPlan['caps']): string {
  const most = `${counted(outputTokens, 'output token')}, unless a check needs more`;
  if (!Number.isFinite(requests) && !Number.isFinite(completions))
    return `No limit on requests and completions; each asks for at most ${most}.`;
  return `Limits: ${limit(requests, 'request')} and ${limit(completions, 'completion')}, each of at most ${most}.`;
}

function limit(cap: number, what: string): string {
  return Number.isFinite(cap) ? counted(cap, what) : `any number of ${what}s`;
}

function timeLines({ mostMs, atLatency, lastRun }: PlannedTime): readonly string[] {
  const lines: string[] = [];
  if (mostMs !== undefined) lines.push(`Nothing is sent after ${timeText(mostMs)} (--max-time).`);
  if (atLatency !== undefined) {
    const { latencyMs, concurrency, leastMs } = atLatency;
    const each = `At ${latencyMs / 1000} s a completion, ${concurrency} at a time`;
    lines.push(`${each}: ${timeText(leastMs)} or more.`);
  }
  if (lastRun !== undefined) {
    const sent = counted(lastRun.requests, 'request');
    lines.push(`The last run of this target sent ${sent} in ${timeText(lastRun.ms)}.`);
  }
  return lines;
}

/** A time of this many milliseconds, rounded up: `40 s`, `3 min`. */
export function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function spendingRow(name: string, { requests, completions, mostCompletions }: Spending): string {
  const more = mostCompletions > completions ? ` (${mostCompletions})` : '';
  return row(name, String(requests), `${completions}${more}`);
}

function row(name: string, requests: string, completions: string): string {
  return `  ${name.padEnd(42)}${requests.padStart(10)}${completions.padStart(15)}`;
}
