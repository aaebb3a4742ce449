import { type Runs, finiteCaps } from '../model/run.ts';
import type { StyleText } from '../reports/colours.ts';
import { wrapWords } from '../reports/columns.ts';
import { counted } from '../reports/display-verdict.ts';
import type { ClauseForecast } from './forecast-clauses.ts';
import type { Spending } from './planned-stimuli.ts';
import type { PlannedStage, SpendingPlan } from './spending-plan.ts';

/** How long a run takes, in milliseconds, as far as that is known. */
export interface PlannedTime {
  /** After which nothing more is sent. */
  readonly mostMs?: number;
  /** Where a completion takes so long, and so many are asked for at once. */
  readonly atLatency?: { readonly latencyMs: number; readonly concurrency: number; readonly leastMs: number };
  /** What the last run of the target sent, and how long it took. */
  readonly lastRun?: { readonly requests: number; readonly ms: number };
}

/** The text of `plan.json`, on whose keys others may depend; a cap is null where there is none. */
export function planJson(
  { caps, total, stages, clauses }: SpendingPlan,
  runs: Runs,
  time: PlannedTime,
): string {
  const head = { format: 'chat-conformance/plan', version: 2, runs, caps: finiteCaps(caps), time };
  return `${JSON.stringify({ ...head, total, stages, clauses }, undefined, 2)}\n`;
}

const WIDTH = 110;

/** A plan for people. */
export function planText(plan: SpendingPlan, time: PlannedTime, styleText: StyleText): string {
  const { caps, stages, total, clauses } = plan;
  return [
    `Nothing was sent. ${capsLine(caps)}`,
    ...timeLines(time),
    '',
    styleText('bold', row('By what is known before a run, at most', 'requests', 'completions')),
    ...stages.flatMap(stageLines),
    row('all, as long as nothing fails', ...numbers(total)),
    '',
    'A target that lists more models, or says more of them, is sent more, up to the limits. In brackets: inputs of a kind',
    '(--send takes its name), and the completions of a service that also serves what it must refuse.',
    ...clauseLines(clauses, styleText),
    '',
  ].join('\n');
}

function capsLine({ requests, completions, outputTokens }: SpendingPlan['caps']): string {
  const most = `${counted(outputTokens, 'output token')}, unless a check needs more`;
  if (!Number.isFinite(requests) && !Number.isFinite(completions))
    return `No limit on requests and completions; each asks for at most ${most}.`;
  const limits = [limit(requests, 'request'), limit(completions, 'completion')].join(' and ');
  return `Limits: ${limits}, each of at most ${most}.`;
}

function limit(cap: number, what: string): string {
  return Number.isFinite(cap) ? counted(cap, what) : `any number of ${what}s`;
}

function timeLines({ mostMs, atLatency, lastRun }: PlannedTime): readonly string[] {
  const lines: string[] = [];
  if (mostMs !== undefined) lines.push(`Nothing is sent after ${timeText(mostMs)} (--max-time).`);
  if (atLatency !== undefined) {
    const { latencyMs, concurrency, leastMs } = atLatency;
    lines.push(
      `At ${latencyMs / 1000} s a completion, ${concurrency} at a time: ${timeText(leastMs)} or more.`,
    );
  }
  if (lastRun !== undefined)
    lines.push(
      `The last run of this target sent ${counted(lastRun.requests, 'request')} in ${timeText(lastRun.ms)}.`,
    );
  return lines;
}

/** A time of this many milliseconds, rounded up: `40 s`, `3 min`. */
export function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

const TITLES: Readonly<Record<PlannedStage['stage'], string>> = {
  preflight: 'preflight',
  free: 'free: reads, and what must be refused',
  paid: 'paid',
  control: 'with --control-url',
  disruptive: 'disruptive',
  costly: 'costly',
  counterparts: 'counterparts, which all of these share',
};

/** The kinds of requests as `--send` takes them, each with the number of its inputs. */
function stageLines({ stage, kinds, ...spending }: PlannedStage): readonly string[] {
  const line = row(TITLES[stage], ...numbers(spending));
  if (kinds.length === 0) return [line];
  const names = kinds.map(({ name, inputs }) => `${name} (${inputs})`);
  return [line, wrapWords('    ', names, WIDTH)];
}

function numbers({ requests, completions, mostCompletions }: Spending): readonly [string, string] {
  const more = mostCompletions > completions ? ` (${mostCompletions})` : '';
  return [String(requests), `${completions}${more}`];
}

function row(name: string, requests: string, completions: string): string {
  return `  ${name.padEnd(42)}${requests.padStart(10)}${completions.padStart(15)}`;
}

function clauseLines(clauses: readonly ClauseForecast[], styleText: StyleText): readonly string[] {
  const of = (exercised: boolean, isPart: boolean): readonly ClauseForecast[] =>
    clauses.filter((each) => each.exercised === exercised && (each.reason !== '') === isPart);
  return [
    '',
    styleText('bold', `Exercised: ${of(true, false).length} of ${clauses.length} clauses`),
    idsLine('  ', of(true, false)),
    ...reasonLines('Exercised in part', of(true, true), styleText),
    ...reasonLines('Not exercised', of(false, true), styleText),
  ];
}

function reasonLines(
  title: string,
  clauses: readonly ClauseForecast[],
  styleText: StyleText,
): readonly string[] {
  if (clauses.length === 0) return [];
  const reasons = [...Map.groupBy(clauses, ({ reason }) => reason)];
  return [
    styleText('bold', title),
    ...reasons.flatMap(([reason, some]) => [`  ${reason}`, idsLine('    ', some)]),
  ];
}

function idsLine(indent: string, clauses: readonly ClauseForecast[]): string {
  return wrapWords(
    indent,
    clauses.map(({ id }) => id),
    WIDTH,
  );
}
