import type { Entry, EntryOf, SentEntry, TrialEntry } from '../model/entry-schema.ts';
import type { Exchange, Outcome } from '../model/exchange.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { FileError } from '../text/read-json-file.ts';

/** A run by the entries of its journal. They may come from the run itself, so nothing here loads zod. */
export interface Recording {
  readonly run: EntryOf<'run'>;
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  /** Every exchange in the order in which they ended, those in flight last. */
  readonly record: readonly Exchange[];
  /** The exchanges that may have left, if only in part, by ID. */
  readonly sent: ReadonlyMap<string, SentEntry>;
  /** Exchanges without a recorded end: their outcome is unknown. */
  readonly inFlight: readonly Exchange[];
  /** Idempotency-Keys of the requests that the workspace has shown as ended. */
  readonly shown: ReadonlySet<string>;
  /** In the order of the plan. */
  readonly trials: readonly JudgedTrial[];
  readonly invariants: readonly EntryOf<'invariant'>[];
  /** Undefined where the run was killed. */
  readonly finished: EntryOf<'finished'> | undefined;
}

/** What one draw sent, and its entry: how its checks ruled on it. */
export interface JudgedTrial {
  readonly entry: TrialEntry;
  readonly trial: Trial;
}

/**
 * Puts a run together from its entries; messages name the `file`.
 * @throws {FileError} Given entries that contradict each other.
 */
export function recordingOf(entries: Iterable<Entry>, file: string): Recording {
  const all = [...entries];
  const run = runOf(all, file);
  const of = <Type extends Entry['type']>(wanted: Type) =>
    all.filter((entry): entry is EntryOf<Type> => entry.type === wanted);
  if (of('run').length > 1) throw new FileError(`${file} holds more than one run`);
  const begun = new Map(of('sent').map((entry) => [entry.id, entry]));
  const known = new Map<string, Exchange>();
  for (const entry of all) {
    if (entry.type === 'withheld') {
      const { id, request, reason } = entry;
      known.set(id, { id, request, outcome: { kind: 'not-sent', reason } });
    }
    if (entry.type !== 'ended') continue;
    const sent = begun.get(entry.id);
    if (sent === undefined) throw new FileError(`${file}: ${entry.id} ended but was never sent`);
    known.set(entry.id, exchangeOf(sent, entry.outcome));
  }
  const inFlight = [...begun.values()].filter(({ id }) => !known.has(id)).map((sent) => exchangeOf(sent));
  for (const exchange of inFlight) known.set(exchange.id, exchange);
  const [survey] = of('survey');
  return {
    run,
    info: survey && { ...survey.survey, profile: run.target.profile },
    record: [...known.values()],
    sent: begun,
    inFlight,
    shown: new Set(of('shown').map(({ idempotencyKey }) => idempotencyKey)),
    trials: of('trial')
      .toSorted((a, b) => a.nth - b.nth)
      .map((entry) => ({ entry, trial: trialOf(entry, known, file) })),
    invariants: of('invariant'),
    finished: of('finished').at(-1),
  };
}

/**
 * What the first entry says of a run.
 * @throws {FileError} Given none.
 */
export function runOf([run]: Iterable<Entry>, file: string): EntryOf<'run'> {
  if (run?.type === 'run') return run;
  throw new FileError(`${file} has no complete line: its run never began`);
}

const KILLED: Outcome = { kind: 'uncertain', reason: 'the run was killed before an answer came' };

/** The exchange that an entry begins. Without an outcome, nobody knows it. */
export function exchangeOf({ id, request, armed }: SentEntry, outcome = KILLED): Exchange {
  return { id, request, ...(armed !== undefined && { armed }), outcome };
}

function trialOf(entry: TrialEntry, known: ReadonlyMap<string, Exchange>, file: string): Trial {
  const exchange = (id: string): Exchange => {
    const found = known.get(id);
    if (found === undefined) throw new FileError(`${file}: there is no exchange ${id}`);
    return found;
  };
  const counterpart = entry.control === undefined ? {} : { counterpart: exchange(entry.control) };
  return { ...entry.data, exchanges: entry.exchanges.map(exchange), ...counterpart };
}
