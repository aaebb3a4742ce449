import { type Check, type Invariant, levelOf } from '../model/check.ts';
import { isChargeable } from '../model/exchange.ts';
import { decidedDuties } from '../model/ruling.ts';
import { type Caps, finiteCaps, type Runs } from '../model/run.ts';
import { type Cost, STAGES, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { StyleText } from '../reports/colours.ts';
import { counted } from '../reports/display-verdict.ts';
import { clauseTable, tableLines, wrapWords } from '../reports/tables.ts';
import { clauseResults } from '../summary/clause-results.ts';
import { firstCountOf } from './lane.ts';
import {
  infoBefore,
  plannedStimuli,
  type PlannedStimulus,
  type PlanOptions,
  spendingOf,
} from './planned-draws.ts';
import { inPlanOrder } from './suite-run.ts';

/** Works out what a run would send at most to a target as far as it is known, without sending anything. */
export function planSpending(options: PlanOptions) {
  const { caps } = options;
  const info = knownTarget(options);
  const all = plannedStimuli(options, info).map((each) => withCosts(each, options, info));
  const planned = withinCaps(all, caps, info);
  const room = Math.min(caps.completions, caps.requests - preflightReads(info));
  const within = (costs: readonly Cost[]) => {
    const { requests, completions, mostCompletions } = spendingOf(costs);
    return {
      requests: Math.min(requests, caps.requests),
      completions: Math.min(completions, room),
      mostCompletions: Math.min(mostCompletions, room),
    };
  };
  const preflight = { stage: 'preflight' as const, kinds: [], costs: [{ reads: preflightReads(info) }] };
  const stages = STAGES.map((stage) => {
    const own = planned.filter((each) => each.stimulus.stage === stage && each.costs.length > 0);
    /** The kinds of requests in it, and how many inputs of each are sent. */
    const kinds = own.map(({ stimulus: { name }, costs }) => ({ name, inputs: costs.length }));
    return { stage, kinds, costs: own.flatMap(({ costs }) => costs) };
  });
  const parts = [preflight, ...stages.filter(({ costs }) => costs.length > 0)];
  return {
    caps,
    stages: parts.map(({ costs, ...part }) => ({ ...part, ...within(costs) })),
    /** Of all stages, as long as nothing fails. Accepted requests that several stages need are sent once. */
    total: within(parts.flatMap(({ costs }) => costs)),
    clauses: clausesIfAllHolds(options, planned),
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

/** `costs`: of each of its draws; none where the caps leave no room for the first one. */
type Costed = PlannedStimulus & { readonly costs: readonly Cost[] };

/** Without those that the caps leave out, as far as is known: a run sends the first draws of each before any others. */
function withinCaps(planned: readonly Costed[], caps: Caps, info: TargetInfo): typeof planned {
  const firsts = planned
    .flatMap(({ stimulus, draws, costs }) =>
      costs.slice(0, firstCountOf(stimulus)).map((cost, turn) => {
        const place = { pass: 'first', stage: STAGES.indexOf(stimulus.stage), turn, cost } as const;
        return { ...place, stimulus, isAlone: draws[turn]?.isAlone === true };
      }),
    )
    .toSorted((one, other) => Number(one.isAlone) - Number(other.isAlone) || inPlanOrder(one, other));
  const taken: Cost[] = [{ reads: preflightReads(info) }];
  const left = new Set<Stimulus>();
  for (const { stimulus, turn, cost } of firsts) {
    const { requests, completions, mostCompletions } = spendingOf([...taken, cost]);
    // A chat that must be refused takes the place of a completion until it is refused.
    const places = Math.max(completions, Math.min(1, mostCompletions));
    if (requests <= caps.requests && places <= caps.completions) taken.push(cost);
    else if (turn === 0) left.add(stimulus);
  }
  return planned.map((each) =>
    left.has(each.stimulus) ? { ...each, costs: [], unsent: 'the limits leave no room for it' } : each,
  );
}

/** @throws What the code of a stimulus throws. */
function withCosts(planned: PlannedStimulus, { withholds }: PlanOptions, info: TargetInfo): Costed {
  if (planned.unsent instanceof Error) throw planned.unsent;
  // A run that requests no completions sends no counterpart that would be one.
  const costs = planned.draws.map((draw) => {
    const { counterparts = [], ...own } = draw.cost(info);
    return {
      ...own,
      counterparts: counterparts.filter((each) => withholds === undefined || !isChargeable(each)),
    };
  });
  return { ...planned, costs };
}

/** Every clause as the run would report it if each check held that is sent anything. */
function clausesIfAllHolds({ checks, invariants, selected }: PlanOptions, planned: readonly Costed[]) {
  const passing = invariants.filter(({ id }) => selected?.has(id) ?? true);
  const unsent = new Map(planned.flatMap((each) => each.checks.map(({ id }) => [id, each.unsent])));
  const results = [...checks, ...passing].map((of: Check | Invariant) => {
    const reason = String(unsent.get(of.id) ?? '');
    const verdict = reason === '' ? ('pass' as const) : ('not-exercised' as const);
    const duties = of.decides === undefined ? [] : [decidedDuties(of.decides)].flat();
    const each = duties.map((duty) => ({ duty, verdict, reason }));
    return { id: of.id, clauses: of.clauses, level: levelOf(of), verdict, reason, duties: each };
  });
  return clauseResults(results, new Set(passing.map(({ id }) => id)));
}

/** The plan as JSON, on whose keys others may depend; a cap is null where there is none. */
export function planJson({ caps, total, stages, clauses }: SpendingPlan, runs: Runs): string {
  const head = { format: 'chat-conformance/plan', version: 3, runs, caps: finiteCaps(caps) };
  const exercised = clauses.map(({ id, verdict, reason }) => {
    return { id, exercised: verdict !== 'not-exercised', reason };
  });
  return JSON.stringify({ ...head, total, stages, clauses: exercised }, undefined, 2);
}

/** A plan for people. */
export function planText({ caps, stages, total, clauses }: SpendingPlan, styleText: StyleText): string {
  const limits = `${limit(caps.requests, 'request')} and ${limit(caps.completions, 'completion')}`;
  const output = `at most ${counted(caps.outputTokens, 'output token')}, unless a check needs more`;
  const left = clauses.filter(({ bound, verdict }) => bound === 'service' && verdict !== 'pass');
  return [
    `Nothing was sent. Limits: ${limits}, each of ${output}.`,
    '',
    styleText('bold', row('At most, as far as known before the run', 'requests', 'completions')),
    ...stages.flatMap(({ stage, kinds, ...spending }) => {
      const names = kinds.map(({ name, inputs }) => `${name} (${inputs})`);
      const line = spendingRow(stage, spending);
      return names.length === 0 ? [line] : [line, wrapWords('    ', names)];
    }),
    spendingRow('all, if nothing fails', total),
    '',
    'A target that lists more models, or says more of them, is sent more, up to the limits. In brackets: inputs of a kind',
    '(--send takes its name), and the completions of a service that also serves what it must refuse. Stages share accepted',
    'requests. Completions in the stage free are these, which --tier free leaves out.',
    '',
    styleText('bold', 'Clauses that this run does not exercise'),
    ...tableLines(clauseTable({ clauses: left }), styleText),
  ].join('\n');
}

function limit(cap: number, what: string): string {
  return Number.isFinite(cap) ? counted(cap, what) : `any number of ${what}s`;
}

function spendingRow(name: string, { requests, completions, mostCompletions }: SpendingPlan['total']) {
  const more = mostCompletions > completions ? ` (${mostCompletions})` : '';
  return row(name, String(requests), `${completions}${more}`);
}

function row(name: string, requests: string, completions: string): string {
  return `  ${name.padEnd(42)}${requests.padStart(10)}${completions.padStart(15)}`;
}
