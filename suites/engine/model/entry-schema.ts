import { z } from 'zod';
import { clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { headerName, keyName, outcome, request } from './exchange-schema.ts';
import type { Fixed } from './exchange.ts';
import { STRICTER } from './run.ts';
import { checkId, finding, level, remembered, runs } from './summary.ts';
import { profile, targetInfo } from './target.ts';

// Only what reads a journal imports this file: writing one does not load zod.

const knownFailure = z.strictObject({
  check: z.string().min(1).describe('The ID of the check that fails.'),
  clause: z.string().exactOptional().describe('One of its clauses, for people.'),
  failure: z
    .strictObject({
      code: z.string().min(1),
      path: z.string().exactOptional().describe('Absent: anywhere.'),
    })
    .exactOptional()
    .describe('Which of its failures, as `failures` of report.json names them. Absent: whichever.'),
  reason: z.string().trim().min(1).describe('Why this is accepted for now.'),
  until: z.iso.date().exactOptional().describe('The last day, in UTC, on which it is accepted.'),
});

/** What a baseline lists, and what the journal of a run with a baseline repeats. */
export const knownFailureList = z.array(knownFailure);

/** A failure that is known and does not fail a run. */
export type KnownFailure = Readonly<z.infer<typeof knownFailure>>;

const clause = z.enum(clauseIds());

const judged = z.object({
  id: checkId,
  clauses: z.array(clause),
  title: z.string(),
  /** Absent: the level of its first clause. */
  level: level.exactOptional(),
  /** The duty that it decides; a list: each ruling names those that its trial bears on. */
  decides: z.union([z.string(), z.array(z.string())]).exactOptional(),
  /** Of an invariant. */
  ofWholeRun: z.literal(true).exactOptional(),
});

/** Null: no cap. */
const cap = z.number().nullable();
const caps = z.object({ requests: cap, completions: cap, outputTokens: cap });

/** The files for TLS with the base URL: paths, and no secret. */
const way = z.object({
  ca: z.string().optional(),
  cert: z.object({ file: z.string() }).optional(),
  certKey: z.string().optional(),
});

/** Where a secret was read: nothing of it. */
const secretPlace = z.union([z.object({ env: z.string() }), z.object({ file: z.string() })]);

const target = z.object({
  baseUrl: z.url({ protocol: /^https?$/ }),
  kind: z.enum(['mock', 'live']),
  /** In the configuration. */
  name: z.string().exactOptional(),
  controlUrl: z.url().exactOptional(),
  profile,
  /** Names of the headers sent with every request: their values may be secrets. */
  headers: z.array(headerName),
  /** Present: a proxy wrote the journal. */
  passing: z.literal(true).exactOptional(),
  /** Absent: no file was needed, or an older journal. */
  way: way.exactOptional(),
  /** By setting of a configuration. Absent: in the usual variables, or an older journal. */
  secrets: z.record(z.string(), secretPlace).exactOptional(),
});

/** The first line: what was run, against what. */
const run = z.object({
  type: z.literal('run'),
  format: z.literal('chat-conformance/journal'),
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  seed: z.int(),
  runs,
  concurrency: z.int(),
  timeoutMs: z.int(),
  caps,
  withholds: z.literal('completions').exactOptional(),
  allow: z.array(z.enum(['disruptive', 'costly'])),
  target,
  keys: z.array(keyName),
  checks: z.array(judged),
  invariants: z.array(judged),
  /** Present: the run checked a part. The IDs of the invariants that it was asked for. */
  selected: z.array(z.string()).exactOptional(),
  /** Present: what failed in earlier runs of the target; its inputs were sent first. */
  remembered: z.array(remembered).exactOptional(),
  /** Present: the failures that the baseline of the run listed. */
  known: knownFailureList.exactOptional(),
  /** Present: what else failed the run. */
  failOn: z.array(z.enum(STRICTER)).exactOptional(),
});

/** What the preflight found; the profile is in the first line. */
const survey = z.object({ type: z.literal('survey'), survey: targetInfo });

/** Written before the first byte of its request leaves. */
const sent = z.object({
  type: z.literal('sent'),
  /** ID of the exchange, unique in a journal. */
  id: z.string(),
  at: z.iso.datetime(),
  request,
  /** Whether the service may make a completion of it, and charge for it. */
  chargeable: z.boolean(),
  /** Present: the fault that the run armed for it. */
  armed: z.enum(['refusal', 'loss']).exactOptional(),
});

/** What a proxy knows of a request beside its exchange. Times are milliseconds since the proxy began. */
const passed = z.object({
  /** The name of the key in Authorization: whoever has the same is one caller. Absent: no key. */
  caller: z.string().exactOptional(),
  /** Where else the request has a key: "the address", "the header x-key". */
  keyIn: z.array(z.string()),
  arrivedAt: z.number(),
  endedAt: z.number(),
});

/** The outcome of a request that was sent; unknown without this line. */
const ended = z.object({
  type: z.literal('ended'),
  id: z.string(),
  outcome,
  /** Present: it passed through a proxy. */
  passed: passed.exactOptional(),
});

/** A request that the run did not send: a cap, an interruption. */
const withheld = z.object({ type: z.literal('withheld'), id: z.string(), request, reason: z.string() });

/** The workspace has shown the outcome of the request with this key. */
const shown = z.object({ type: z.literal('shown'), idempotencyKey: z.string() });

function ruled<K extends string, T extends z.ZodRawShape>(kind: K, shape: T) {
  return z.object({
    kind: z.literal(kind),
    ...shape,
    /** The duties that the trial bears on. Absent: all that its check decides. */
    duties: z.array(z.string()).exactOptional(),
  });
}

/** A failure of ours. */
const failure = z
  .object({ kind: z.literal('error'), name: z.string(), message: z.string() })
  .transform(({ name, message }) => Object.assign(new Error(message), { name }));

/** How a check ruled on a trial. */
export const ruling = z.discriminatedUnion('kind', [
  ruled('holds', {}),
  ruled('violated', { finding }),
  ruled('observed', { observations: z.array(z.object({ point: z.string(), value: z.unknown() })) }),
  ruled('not-exercised', { reason: z.string(), hint: z.string().exactOptional() }),
  ruled('inconclusive', { reason: z.string() }),
  failure,
]);

/** What one draw of a stimulus sent, and how its checks ruled on it. */
const trial = z.object({
  type: z.literal('trial'),
  /** ID of the draw, or the name of the stimulus where nothing could be drawn. */
  id: z.string(),
  stimulus: z.string(),
  /** The number of inputs that the stimulus must try. */
  among: z.int().exactOptional(),
  /** Its place in the plan: results are counted in this order. */
  nth: z.int(),
  /** IDs of its exchanges, in the order in which they were sent. */
  exchanges: z.array(z.string()),
  /** The ID of the counterpart. */
  control: z.string().exactOptional(),
  /** What else a trial of this stimulus holds: the names of its members belong to the format. */
  data: z.record(z.string(), z.unknown()),
  /** Why it cannot be judged: an answer is missing, or sending it failed. */
  missing: ruling.exactOptional(),
  rulings: z.record(z.string(), ruling),
  /** Present: drawn in the search for a simpler failure of this check than that of this trial; it counts for nothing else. */
  simplifies: z.object({ check: z.string(), trial: z.string() }).exactOptional(),
});

/** How an invariant ruled on the exchanges of a whole run. */
const invariant = z.object({
  type: z.literal('invariant'),
  id: z.string(),
  held: z.int(),
  /** Every other ruling, with the ID of its exchange. */
  rulings: z.array(z.tuple([z.string(), ruling])),
});

/** The last line. Without it the run was killed. */
const finished = z.object({
  type: z.literal('finished'),
  durationMs: z.number(),
  cutShort: z.array(z.string()),
  /** Why inputs were left unsent. Absent: none were, or only a cap left them out. */
  unsent: z.string().exactOptional(),
  /** Present: the user ended it. */
  interrupted: z.literal(true).exactOptional(),
});

const LINES = [run, survey, sent, ended, withheld, shown, trial, invariant, finished] as const;

/** A line of a journal, version 1. Reading drops fields of later releases, except where a judgement may look at them. */
export const entrySchema = z.discriminatedUnion('type', LINES);

/** One line of a journal. No key is in any of them, in the spellings that `docs/journal.md` lists. */
export type Entry = Fixed<z.infer<typeof entrySchema>>;

export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;

export type RunEntry = EntryOf<'run'>;
export type SentEntry = EntryOf<'sent'>;
/** What a proxy knows of a request beside its exchange. */
export type PassedFacts = NonNullable<EntryOf<'ended'>['passed']>;
export type TrialEntry = EntryOf<'trial'>;
export type InvariantEntry = EntryOf<'invariant'>;
export type FinishedEntry = EntryOf<'finished'>;

export type RecordedWay = NonNullable<RunEntry['target']['way']>;
/** A check or an invariant, as reports name it. */
export type RecordedCriterion = RunEntry['checks'][number];

/** The append-only record of a run. */
export interface Journal {
  /**
   * Writes one line, and returns once it is written: the line survives the end of this process.
   * Never throws: after a failed write nothing more is written, and `failure` says why.
   */
  readonly append: (entry: Entry) => void;
  /** One line; undefined without a failure. */
  readonly failure: () => string | undefined;
}
