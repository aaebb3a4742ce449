import { z } from 'zod';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Fixed } from './exchange.ts';
import { FATES } from './stimulus.ts';

// What a report holds, and its types. Only what reads a report imports the schemas: a run does not load zod.

const verdict = z
  .enum(['pass', 'fail', 'warn', 'observed', 'not-exercised', 'inconclusive', 'error'])
  .describe('`error` is a failure of the suites, never of the target.');
export const level = z.enum(['stated', 'implied', 'convention', 'open']);
const outcome = z.enum(['conformant', 'violations', 'incomplete']);
export const runs = z.union([z.int(), z.enum(['few', 'fewest'])]);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a clause of another release is only compared and shown
const clauseId = z.string().regex(/^[A-Z]+-[1-9]\d*$/) as unknown as z.ZodType<ClauseId>;
/** Reports print IDs as they are, and make places and commands of them. */
export const checkId = z
  .string()
  .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, { error: 'must be words in small letters, joined by hyphens' });
const count = z.int().nonnegative();
const headers = z.record(z.string(), z.string());

/** A member that may be absent, and what it means. */
function maybe<T extends z.ZodType>(schema: T, meaning: string): z.ZodExactOptional<T> {
  return z.exactOptional(schema).describe(meaning);
}

const exchange = z
  .object({
    id: z.string(),
    request: z.object({
      method: z.string(),
      path: z.string().describe('Below the base URL.'),
      credential: z.string().describe('Which key it carried; never the key.'),
      headers,
      body: z.string().exactOptional(),
    }),
    outcome: z.string().describe('`answered`, or why there is no answer.'),
    answer: z.object({ status: z.int(), headers, body: z.string() }).exactOptional(),
  })
  .describe('Keys are taken out, and long bodies cut.');

/** What was found wrong. */
export const finding = z.object({
  code: z.string().describe('With `path`, identifies a failure of a check.'),
  path: maybe(z.string(), 'JSON pointer, name of a header, or name of an open point.'),
  exchange: count.exactOptional(),
  expected: z.string(),
  actual: z.string(),
});

const input = z
  .object({
    stimulus: z.string(),
    text: z.string().describe('Or its hash, where it is long.'),
    origin: maybe(z.string(), 'How the stimulus makes it again; absent in the reports of an older release.'),
  })
  .describe('What was drawn.');

const evidence = z.object({
  finding,
  input: input.exactOptional(),
  exchange: exchange.describe('The simplest request that still fails in the same way.'),
  control: maybe(z.object({ exchange, difference: z.string() }), 'Its accepted counterpart.'),
  curl: z
    .string()
    .describe(
      'Sends the request again, after others with its Idempotency-Key, with the key from the environment; empty for a caller.',
    ),
  curlNote: maybe(z.string(), 'Why `curl` cannot show the failure, or not as it stands.'),
  timeline: maybe(z.array(z.string()), 'For a caller: everything it sent, one line each.'),
});

const failureKind = z.object({ code: z.string(), path: z.string().exactOptional(), trials: count });

/** Older releases have further words for what is undecided. */
const fate = z.enum(FATES).catch('undecided');

const earlierFailure = failureKind.omit({ trials: true }).extend({ fate });

/** What the next run of the target sends first. */
export const remembered = failureKind.omit({ trials: true }).extend({
  check: checkId,
  input: input.exactOptional(),
  draws: maybe(count, 'How many draws the run began that saw it; absent in older reports.'),
});

const duty = z.object({
  duty: z.string(),
  verdict,
  reason: z.string().describe('Empty only for `pass`.'),
});

const check = z.object({
  id: checkId,
  clauses: z.array(clauseId),
  level,
  title: z.string(),
  verdict,
  reason: z.string().describe('Empty only for `pass`.'),
  hint: z.string().exactOptional(),
  exchanges: count.describe('How many were judged.'),
  durationMs: maybe(
    z.number().nonnegative(),
    'How long the answers to its requests took together. Checks that share a request count it each; absent for an invariant, which sends none.',
  ),
  unasked: maybe(z.literal(true), 'An invariant that the run was not asked for, but that fails.'),
  trials: maybe(z.object({ held: count, unreadable: count }), 'Absent when it could read every answer.'),
  held: maybe(count, 'Of a failure: in how many trials it held.'),
  duties: maybe(z.array(duty), 'The duties of its clauses that it decides, each with its own verdict.'),
  inputs: maybe(z.object({ tried: count, of: count }), 'Of its inputs; absent when all were tried.'),
  cut: maybe(count, 'How many inputs were not sent whole: a cap was reached, or the run was halted.'),
  failures: z.array(failureKind).describe('Every way in which it failed.'),
  evidence: z.array(evidence).describe('Evidence for the first few of them.'),
  before: maybe(z.array(earlierFailure), 'What became of each way in which it failed in an earlier run.'),
  again: maybe(z.string(), 'Of a failure: the command that judges this check alone again.'),
  known: maybe(z.array(z.string()), 'The reasons that the baseline gives, when it lists every failure.'),
});

const clause = z.object({
  id: clauseId,
  bound: z.enum(['service', 'caller']),
  level,
  verdict,
  checks: z.array(checkId),
  reason: z.string(),
  missing: maybe(z.array(duty.omit({ verdict: true })), 'Each duty that was not seen to hold, and why.'),
});

/** A summary does not type it more closely. */
const observation: z.ZodType = z.json();

const openPoint = z.object({
  clause: clauseId,
  point: z.string(),
  observed: observation,
  varied: maybe(z.literal(true), '`observed` is then the list of all values.'),
  pinned: z.exactOptional(observation),
});

const uncertain = z.object({
  id: z.string(),
  idempotencyKey: maybe(z.string(), 'Finds the request in the workspace.'),
  reason: z.string(),
  exchange,
});

const remedy = z.object({
  of: maybe(z.string(), 'A framework, a library, or a proxy or gateway in front of the service.'),
  docs: maybe(z.string(), 'Address of its documentation.'),
  seen: maybe(z.string(), 'The evidence in the run; absent: only a usual cause.'),
  cause: z.string(),
  mend: z.string().describe('The line to change.'),
});

const group = z.object({
  checks: z.array(checkId),
  clauses: z.array(clauseId),
  code: maybe(z.string(), 'Of the finding that they share.'),
  path: maybe(z.string(), 'The place of that finding.'),
  remedies: z.array(remedy),
  gateways: z.array(z.string()).describe('What the answers came through, and may have changed them.'),
});

const cap = count.nullable().describe('Null: no cap.');
const spent = z.object({ requests: count, completions: count, outputTokens: count, uncertain: count });

const scenarioRequest = z.object({
  n: count,
  from: z.number().describe('Milliseconds since the scenario began.'),
  to: z.number().nullable().describe('Null: it was still under way at the end.'),
  kind: z.enum(['chat', 'other']),
  outcome: z.string(),
  fault: z.string().exactOptional(),
  money: maybe(z.string(), 'The effect on the credits.'),
});

const scenario = z.object({
  name: z.string(),
  end: z.string().describe('How the caller ended.'),
  output: z.string().describe('The last part of what it wrote.'),
  verdicts: z.array(z.object({ check: checkId, verdict, reason: z.string() })),
  timeline: z.array(z.string()).describe('Everything it sent, one line each.'),
  requests: z.array(scenarioRequest),
});

/** A report as a file holds it. Members that a later release adds are ignored. */
export const reportSchema = z
  .object({
    format: z.literal('chat-conformance/report'),
    version: z.literal(1),
    outcome: outcome.describe('Decides the exit code: without known failures, with those of `--fail-on`.'),
    target: z.object({
      baseUrl: z.string(),
      kind: z
        .enum(['mock', 'live', 'caller'])
        .describe('`mock`: the bundled mock, no service. For a caller, `baseUrl` is its name.'),
      profile: z.string().nullable(),
      name: maybe(z.string(), 'Its name in the configuration.'),
      passing: maybe(z.literal(true), 'A proxy judged what others sent: `seed` means nothing.'),
    }),
    seed: z.int(),
    runs: maybe(runs, 'Random inputs of each kind beside all known ones; a word: some known ones only.'),
    caps: z.object({ requests: cap, completions: cap, outputTokens: cap }),
    startedAt: z.iso.datetime().describe('ISO 8601, UTC.'),
    durationMs: z.number().nonnegative(),
    spent,
    checks: z.array(check),
    clauses: z.array(clause),
    groups: maybe(z.array(group), 'Failures and warnings by what they share, the largest first.'),
    open: z.array(openPoint).describe('What was observed where the specification is silent.'),
    uncertain: z.array(uncertain).describe('To be checked in the workspace before anything is sent again.'),
    cutShort: z.array(z.string()).describe('Why the run ended early.'),
    warnings: z.array(z.string()).describe('What limits the meaning of its verdicts.'),
    remembered: maybe(z.array(remembered), 'Failures not seen to be fixed: the next run sends them first.'),
    notBegun: maybe(
      z.object({
        reason: z.string(),
        exchange: maybe(exchange, 'The request that ended it, with the beginning of its answer.'),
      }),
      'Present: the run could not begin, and judged nothing.',
    ),
    scenarios: maybe(z.array(scenario), 'Of a caller: what it did in each, and what each check says of it.'),
    baseline: z.object({ problems: z.array(z.string()).describe('Why it is out of date.') }).exactOptional(),
    failedOn: maybe(z.array(z.string()), 'Present: what it fails on only because of `--fail-on`.'),
  })
  .describe('The result of a run.');

/** A line of the history of a target: what of a run stays when its report is gone. */
export const pastRunSchema = reportSchema.pick({ startedAt: true, seed: true, outcome: true }).extend({
  target: z
    .string()
    .describe('Its base URL as it was given; its name, if that has `{port}`; `mock`: the bundled mock.'),
  release: z.string().describe('Of this package.'),
  part: maybe(z.literal(true), 'It was told to check a part only.'),
  verdicts: z.partialRecord(verdict, z.array(z.string())).describe('The clauses with each verdict.'),
});

export type PastRun = Fixed<z.infer<typeof pastRunSchema>>;

/** The keys of `report.json`, which others may depend on. */
export type JsonReport = Fixed<z.infer<typeof reportSchema>>;

/** The findings of a run, from which every report is made. */
export type Summary = Omit<JsonReport, 'format' | 'version' | 'groups'>;
export type RunOutcome = Summary['outcome'];
export type Spent = Summary['spent'];
export type OpenPointResult = Summary['open'][number];
/** Why a run could not begin. */
export type NotBegun = NonNullable<Summary['notBegun']>;

export type CheckResult = Fixed<z.infer<typeof check>>;
export type Verdict = CheckResult['verdict'];
/** One way in which a check failed; `code` and `path` identify it. */
export type FailureKind = CheckResult['failures'][number];
export type Evidence = CheckResult['evidence'][number];
/** One exchange as reports show it: text, with every key taken out and long bodies cut. */
export type ShownExchange = Evidence['exchange'];
export type ClauseResult = Fixed<z.infer<typeof clause>>;

/** A request whose outcome is unknown: to be checked in the workspace. */
export type UncertainRequest = Fixed<z.infer<typeof uncertain>>;
/** What usually causes a finding, and what mends it. */
export type Remedy = Fixed<z.infer<typeof remedy>>;
/** What a caller did in one scenario, and what each check says of it. */
export type ScenarioResult = Fixed<z.infer<typeof scenario>>;
export type ScenarioRequest = ScenarioResult['requests'][number];
