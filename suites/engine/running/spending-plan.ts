import { type Check, type Invariant, levelOf } from '../model/check.ts';
import { isChargeable } from '../model/exchange.ts';
import { decidedDuties } from '../model/ruling.ts';
import { finiteCaps, type Runs } from '../model/run.ts';
import { type Cost, type Stage, STAGES } from '../model/stimulus.ts';
import type { CheckResult, ClauseResult } from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import type { StyleText } from '../reports/colours.ts';
import { counted } from '../reports/display-verdict.ts';
import { clauseTable, tableLines, wrapWords } from '../reports/tables.ts';
import { clauseResults } from '../summary/clause-results.ts';
import {
  infoBefore,
  plannedStimuli,
  type PlannedStimulus,
  type PlanOptions,
  type Spending,
  spendingOf,
} from './planned-draws.ts';

/** What a part of a run sends at most, within the caps. */
interface PlannedStage extends Spending {
  /** `counterparts`: the accepted requests from which refused ones differ in one place; all stages share them. */
  readonly stage: Stage | 'preflight' | 'counterparts';
  /** The kinds of requests in it, and how many inputs of each are sent. */
  readonly kinds: readonly { readonly name: string; readonly inputs: number }[];
}

/** Works out what a run would send at most to a target as far as it is known, without sending anything. */
export function planSpending(options: PlanOptions) {
  const info = knownTarget(options);
  const planned = plannedStimuli(options, info).map((each) => withCosts(each, options, info));
  const preflight = { reads: preflightReads(info) };
  const costs = planned.flatMap((each) => each.costs);
  const within = (some: readonly Cost[]): Spending => {
    const { requests, completions, mostCompletions } = spendingOf(some);
    return {
      requests: Math.min(requests, options.caps.requests),
      completions: Math.min(completions, options.caps.completions),
      mostCompletions: Math.min(mostCompletions, options.caps.completions),
    };
  };
  const stages: readonly PlannedStage[] = [
    { stage: 'preflight', kinds: [], ...within([preflight]) },
    ...STAGES.map((stage) => {
      const own = planned.filter((each) => each.stimulus.stage === stage && each.costs.length > 0);
      const kinds = own.map((each) => ({ name: each.stimulus.name, inputs: each.costs.length }));
      const sent = own.flatMap((each) => each.costs.map((cost) => ({ ...cost, counterparts: [] })));
      return { stage, kinds, ...within(sent) };
    }),
    { stage: 'counterparts', kinds: [], ...within(costs.map(({ counterparts = [] }) => ({ counterparts }))) },
  ];
  return {
    caps: options.caps,
    stages: stages.filter(({ kinds, requests }) => kinds.length + requests > 0),
    /** Of all stages, as long as nothing fails. */
    total: within([preflight, ...costs]),
    /** As the run would report them if whatever it sends holds. */
    clauses: forecast(options, planned, info),
  };
}

export type SpendingPlan = ReturnType<typeof planSpending>;

/** The models that the profile names, or else one of which nothing is known. */
function knownTarget(options: PlanOptions): TargetInfo {
  const { profile, keys } = options.target;
  const named = Object.entries(profile.models ?? {}).map(([id, facts]) => ({ id, ...facts }));
  const first = profile.model ?? named[0]?.id ?? 'unknown';
  const cheapest = named.find(({ id }) => id === first) ?? { id: first };
  return {
    ...infoBefore(options),
    models: [cheapest, ...named.filter(({ id }) => id !== first)],
    ...(keys.second !== undefined && { secondModels: [] }),
  };
}

/** The models of each key, and the vision capabilities. */
function preflightReads({ keys }: TargetInfo): number {
  return keys.has('second') ? 3 : 2;
}

interface CostedStimulus extends PlannedStimulus {
  /** Of each of its draws; none where not even the first one fits the caps. */
  readonly costs: readonly Cost[];
}

/** @throws What the code of a stimulus throws. */
function withCosts(
  planned: PlannedStimulus,
  { caps, withholds }: PlanOptions,
  info: TargetInfo,
): CostedStimulus {
  if (planned.unsent instanceof Error) throw planned.unsent;
  // A run that requests no completions sends no counterpart that would be one.
  const costs = planned.draws.map((draw) => {
    const { counterparts = [], ...own } = draw.cost(info);
    return {
      ...own,
      counterparts: counterparts.filter((each) => withholds === undefined || !isChargeable(each)),
    };
  });
  const { requests, completions, mostCompletions } = spendingOf(costs.slice(0, 1));
  // A chat that must be refused takes the place of a completion until it is refused.
  const places = Math.max(completions, Math.min(1, mostCompletions));
  const fits = requests + preflightReads(info) <= caps.requests && places <= caps.completions;
  return costs.length === 0 || fits
    ? { ...planned, costs }
    : { ...planned, costs: [], unsent: 'the limits leave no room for it' };
}

/** What a run would report of each clause if whatever it sends holds. */
function forecast(
  { checks, invariants, selected, withholds }: PlanOptions,
  planned: readonly CostedStimulus[],
  { keys }: TargetInfo,
): readonly ClauseResult[] {
  const passing = invariants.filter(({ id }) => selected?.has(id) ?? true);
  const result = (of: Check | Invariant): CheckResult => {
    const { id, clauses, title, decides } = of;
    const { costs = [], unsent } =
      planned.find(({ stimulus }) => 'given' in of && of.given === stimulus) ?? {};
    const isHalf = withholds !== undefined && costs.some(({ refused = 0 }) => refused > 0);
    const level = levelOf(of);
    const sent = isHalf ? 'inconclusive' : level === 'open' ? 'observed' : 'pass';
    const verdict = unsent === undefined ? sent : 'not-exercised';
    const reason = String(unsent ?? (isHalf ? 'violations are found, but a refusal alone is no pass' : ''));
    const duties = [decides === undefined ? [] : decidedDuties(decides)].flat(2);
    const seen = duties.length > 0 && { duties: duties.map((duty) => ({ duty, verdict, reason }) as const) };
    return { id, clauses, title, level, verdict, reason, ...seen, exchanges: 0, failures: [], evidence: [] };
  };
  const results = [...checks, ...passing].map(result);
  return clauseResults(results, { invariants: new Set(passing.map(({ id }) => id)), keys });
}

/** How long a run takes, in milliseconds, as far as that is known. */
export interface PlannedTime {
  /** After which nothing more is sent. */
  readonly mostMs?: number | undefined;
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
  const exercised = clauses.map(({ id, verdict, reason }) => {
    return { id, exercised: verdict !== 'not-exercised', reason };
  });
  return JSON.stringify({ ...head, total, stages, clauses: exercised }, undefined, 2);
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
  const limits = `${limit(caps.requests, 'request')} and ${limit(caps.completions, 'completion')}`;
  const output = `at most ${counted(caps.outputTokens, 'output token')}, unless a check needs more`;
  return [
    `Nothing was sent. Limits: ${limits}, each of ${output}.`,
    ...timeLines(time),
    '',
    styleText('bold', row('By what is known before a run, at most', 'requests', 'completions')),
    ...stages.flatMap(({ stage, kinds, ...spending }) => {
      const names = kinds.map(({ name, inputs }) => `${name} (${inputs})`);
      const line = spendingRow(TITLES[stage], spending);
      return names.length === 0 ? [line] : [line, wrapWords('    ', names, WIDTH)];
    }),
    spendingRow('all, as long as nothing fails', total),
    '',
    'A target that lists more models, or says more of them, is sent more, up to the limits. In brackets: inputs of a kind',
    '(--send takes its name), and the completions of a service that also serves what it must refuse.',
    '',
    styleText('bold', 'Clauses, where all holds that is sent'),
    ...tableLines(clauseTable({ clauses }), styleText),
  ].join('\n');
}

function limit(cap: number, what: string): string {
  return Number.isFinite(cap) ? counted(cap, what) : `any number of ${what}s`;
}

function timeLines({ mostMs, lastRun }: PlannedTime): readonly string[] {
  const lines: string[] = [];
  if (mostMs !== undefined) lines.push(`Nothing is sent after ${timeText(mostMs)} (--max-time).`);
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
