import type { PlanOptions } from '../planning/plan-options.ts';
import type { SpendingPlan, ClauseForecast, PlannedGroup, Spending } from '../planning/spending-plan.ts';
import { type Runs, finiteCaps } from '../model/run.ts';
import type { Paint } from './colours.ts';
import { wrapWords } from './wrap-words.ts';

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

const NAME_WIDTH = 28;
const WIDTH = 110;
const STAGES = ['preflight', 'free', 'paid', 'control', 'disruptive', 'costly', 'any'] as const;

const TITLES: Readonly<Record<PlannedGroup['stage'], string>> = {
  preflight: 'Preflight',
  free: 'Free: what must be refused, and what costs nothing to read',
  paid: 'Paid',
  control: 'With --control-url',
  disruptive: 'Disruptive',
  costly: 'Costly',
  any: 'Beside them',
};

/** What stands behind the name of a group that is no stimulus. */
const NOTES: Readonly<Record<string, string>> = {
  counterparts: 'shared by all of the above',
  fitting: 'only where a max_tokens or a model ID is refused',
  'simpler-failures': 'only where something fails',
  'sent-again': 'only after rate limit errors',
};

/** A plan for people: every group, the totals, and the clauses that are not exercised as they should be. */
export function planText(plan: SpendingPlan, paint: Paint): string {
  return [
    'Nothing was sent. A run as it is asked for here would send at most:',
    '',
    paint('bold', row('', 'requests', 'completions', 'output tokens')),
    ...STAGES.flatMap((stage) => stageLines(plan, stage, paint)),
    '',
    totalLine('If the service keeps the specification, and no rate limit is met', plan.ifKept, paint),
    totalLine('Whatever it does', plan.atMost, paint),
    capsLine(plan.caps),
    ...clauseLines(plan.clauses, paint),
    '',
  ].join('\n');
}

function stageLines({ groups }: SpendingPlan, stage: PlannedGroup['stage'], paint: Paint): readonly string[] {
  const own = groups.filter((group) => group.stage === stage);
  return own.length === 0 ? [] : [paint('bold', TITLES[stage]), ...own.map(groupLine)];
}

/** What a group asks for if all is well, and in brackets what it comes to where a service serves everything. */
function groupLine({ name, ifKept, atMost }: PlannedGroup): string {
  const completions =
    atMost.completions > ifKept.completions
      ? `${ifKept.completions} (${atMost.completions})`
      : String(ifKept.completions);
  const note = NOTES[name];
  const line = row(name, String(atMost.requests), completions, tokens(ifKept));
  return note === undefined ? line : `${line}  ${note}`;
}

function row(...[name = '', ...numbers]: readonly string[]): string {
  return `  ${name.padEnd(NAME_WIDTH)}${numbers.map((text) => text.padStart(15)).join('')}`.trimEnd();
}

/** `+2 open`: two of the completions say nothing of how long they may be. */
function tokens({ outputTokens, open }: Spending): string {
  return open === 0 ? String(outputTokens) : `${outputTokens} +${open} open`;
}

function totalLine(title: string, spending: Spending, paint: Paint): string {
  const { requests, completions, outputTokens, open } = spending;
  const unbounded = open === 0 ? '' : `, and ${open} of the completions without a bound to their output`;
  const counts = `${counted(requests, 'request')}, ${counted(completions, 'completion')}, ${counted(outputTokens, 'output token')} asked for`;
  return `${paint('bold', title)}: ${counts}${unbounded}`;
}

function capsLine({ requests, completions, outputTokens }: SpendingPlan['caps']): string {
  if (!Number.isFinite(requests)) return 'There are no caps.';
  return `Caps: ${counted(requests, 'request')}, ${counted(completions, 'completion')}, ${counted(outputTokens, 'output token')} each unless a check needs more`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const FORECASTS = [
  ['yes', 'Exercised, and less than it might be'],
  ['depends', 'Exercised or not'],
  ['no', 'Not exercised'],
] as const;

function clauseLines(clauses: readonly ClauseForecast[], paint: Paint): readonly string[] {
  const well = clauses.filter(({ exercised, reason }) => exercised === 'yes' && reason === '');
  return [
    '',
    paint('bold', `Exercised: ${well.length} of ${clauses.length} clauses`),
    idsLine('  ', well),
    ...FORECASTS.flatMap(([exercised, title]) => {
      const some = clauses.filter((each) => each.exercised === exercised && each.reason !== '');
      return some.length === 0 ? [] : [paint('bold', title), ...reasonLines(some)];
    }),
  ];
}

function reasonLines(clauses: readonly ClauseForecast[]): readonly string[] {
  return [...Map.groupBy(clauses, ({ reason }) => reason)].flatMap(([reason, some]) => [
    `  ${reason}`,
    idsLine('    ', some),
  ]);
}

function idsLine(indent: string, clauses: readonly ClauseForecast[]): string {
  const ids = clauses.map(({ id }) => id);
  return wrapWords(indent, ids, WIDTH);
}
