import { type Runs, finiteCaps } from '../model/run.ts';
import type {
  PlanOptions,
  SpendingPlan,
  ClauseForecast,
  PlannedGroup,
  PlannedPass,
  Spending,
} from '../planning/spending-plan.ts';
import type { StyleText } from './colours.ts';
import { counted } from './display-verdict.ts';
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
  const { caps, atMost, ifKept, groups, passes, clauses } = plan;
  const json: PlanJson = {
    format: 'chat-conformance/plan',
    version: 1,
    runs,
    caps: finiteCaps(caps),
    atMost,
    ifKept,
    groups,
    passes,
    clauses,
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** A plan for people: every group, the totals, and the clauses that are not exercised fully. */
export function planText(plan: SpendingPlan, styleText: StyleText): string {
  return [
    'Nothing was sent. A run with these options would send at most:',
    '',
    styleText('bold', row('', 'requests', 'completions', 'output tokens')),
    ...STAGES.flatMap((stage) => stageLines(plan, stage, styleText)),
    '',
    styleText('bold', 'In this order'),
    ...plan.passes.map(passLine),
    '',
    totalLine('If the service keeps the specification and never limits the rate', plan.ifKept, styleText),
    totalLine('Whatever the service does', plan.atMost, styleText),
    capsLine(plan.caps),
    ...clauseLines(plan.clauses, styleText),
    '',
  ].join('\n');
}

const NAME_WIDTH = 28;
const WIDTH = 110;
const STAGES = ['preflight', 'free', 'paid', 'control', 'disruptive', 'costly', 'any'] as const;

const TITLES: Readonly<Record<PlannedGroup['stage'], string>> = {
  preflight: 'Preflight',
  free: 'Free: requests that must be refused, and reads that cost nothing',
  paid: 'Paid',
  control: 'With --control-url',
  disruptive: 'Disruptive',
  costly: 'Costly',
  any: 'In any stage',
};

/** The meaning of a group that is not a stimulus. */
const NOTES: Readonly<Record<string, string>> = {
  counterparts: 'shared by all of the above',
  fitting: 'only if a max_tokens or a model ID is refused',
  'simpler-failures': 'only if something fails',
  'sent-again': 'only after rate limit errors',
};

function stageLines(
  { groups }: SpendingPlan,
  stage: PlannedGroup['stage'],
  styleText: StyleText,
): readonly string[] {
  const own = groups.filter((group) => group.stage === stage);
  return own.length === 0 ? [] : [styleText('bold', TITLES[stage]), ...own.map(groupLine)];
}

/** The completions of a service that keeps the specification; in brackets, those of one that accepts everything. */
function groupLine({ name, ifKept, atMost }: PlannedGroup): string {
  const note = NOTES[name];
  const line = row(name, String(atMost.requests), completionsText(ifKept, atMost), tokens(ifKept));
  return note === undefined ? line : `${line}  ${note}`;
}

function row(...[name = '', ...numbers]: readonly string[]): string {
  return `  ${name.padEnd(NAME_WIDTH)}${numbers.map((text) => text.padStart(15)).join('')}`.trimEnd();
}

const PASS_TITLES: Readonly<Record<PlannedPass['pass'], string>> = {
  again: 'what failed before',
  first: 'every clause once',
  second: 'second inputs',
  open: 'what only observes',
  known: 'what is known to fail',
};

/** Its completions as in the line of a group. */
function passLine({ pass, ifKept, atMost }: PlannedPass): string {
  return row(PASS_TITLES[pass], String(ifKept.requests), completionsText(ifKept, atMost), tokens(ifKept));
}

function completionsText(kept: Spending, most: Spending): string {
  return most.completions > kept.completions
    ? `${kept.completions} (${most.completions})`
    : String(kept.completions);
}

/** `+2 open`: two of the completions have no limit on their output. */
function tokens({ outputTokens, open }: Spending): string {
  return open === 0 ? String(outputTokens) : `${outputTokens} +${open} open`;
}

function totalLine(title: string, spending: Spending, styleText: StyleText): string {
  const { requests, completions, outputTokens, open } = spending;
  const unlimited = open === 0 ? '' : `, and ${open} of the completions have no limit on their output`;
  const counts = `${counted(requests, 'request')}, ${counted(completions, 'completion')}, ${counted(outputTokens, 'output token')} requested`;
  return `${styleText('bold', title)}: ${counts}${unlimited}`;
}

function capsLine({ requests, completions, outputTokens }: SpendingPlan['caps']): string {
  if (!Number.isFinite(requests)) return 'There are no caps.';
  return `Caps: ${counted(requests, 'request')}, ${counted(completions, 'completion')}, ${counted(outputTokens, 'output token')} per completion unless a check needs more`;
}

const FORECASTS = [
  ['yes', 'Exercised in part'],
  ['depends', 'Depends'],
  ['no', 'Not exercised'],
] as const;

function clauseLines(clauses: readonly ClauseForecast[], styleText: StyleText): readonly string[] {
  const full = clauses.filter(({ exercised, reason }) => exercised === 'yes' && reason === '');
  return [
    '',
    styleText('bold', `Exercised: ${full.length} of ${clauses.length} clauses`),
    idsLines('  ', full),
    ...FORECASTS.flatMap(([exercised, title]) => {
      const some = clauses.filter((each) => each.exercised === exercised && each.reason !== '');
      return some.length === 0 ? [] : [styleText('bold', title), ...reasonLines(some)];
    }),
  ];
}

function reasonLines(clauses: readonly ClauseForecast[]): readonly string[] {
  return [...Map.groupBy(clauses, ({ reason }) => reason)].flatMap(([reason, some]) => [
    `  ${reason}`,
    idsLines('    ', some),
  ]);
}

function idsLines(indent: string, clauses: readonly ClauseForecast[]): string {
  return wrapWords(
    indent,
    clauses.map(({ id }) => id),
    WIDTH,
  );
}
