import type { Exchange, Outcome } from '../model/exchange.ts';
import type {
  Entry,
  FinishedEntry,
  InvariantEntry,
  RunEntry,
  SentEntry,
  TrialEntry,
} from '../model/journal.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { JournalLines, JournalReadError } from './journal-lines.ts';

/** A run, read from its journal. */
export interface Recording {
  readonly run: RunEntry;
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  /** Every exchange in the order in which they ended, those in flight last. */
  readonly record: readonly Exchange[];
  /** The exchanges that may have left, if only in part: by ID, when (ISO 8601). */
  readonly sent: ReadonlyMap<string, string>;
  /** Exchanges without a recorded end: their outcome is unknown. */
  readonly inFlight: readonly Exchange[];
  /** Idempotency-Keys of the requests that the workspace has shown as ended. */
  readonly shown: ReadonlySet<string>;
  /** In the order of the plan. */
  readonly trials: readonly RecordedTrial[];
  readonly invariants: readonly InvariantEntry[];
  /** Undefined where the run was killed. */
  readonly finished: FinishedEntry | undefined;
}

export interface RecordedTrial {
  readonly entry: TrialEntry;
  readonly trial: Trial;
}

/**
 * Reads a run from its journal, whether it finished or was killed.
 * @throws {JournalReadError} Given a file that is not a journal, or is damaged other than by a truncated last line.
 */
export function readJournal(file: string): Recording {
  return recordingOf(new JournalLines(file), file);
}

/**
 * Puts a run together from its lines, which are gone through more than once; messages name the `file`.
 * @throws {JournalReadError} Given lines that contradict each other.
 */
export function recordingOf(lines: Iterable<Entry>, file: string): Recording {
  const run = runOf(lines, file);
  const [, ...entries] = lines;
  if (entries.some(({ type }) => type === 'run'))
    throw new JournalReadError(`${file} holds more than one run`);
  const sent = new Map(ofType(entries, 'sent').map((entry) => [entry.id, entry]));
  const known = endedIn(entries, sent, file);
  const inFlight = [...sent.values()].filter(({ id }) => !known.has(id)).map((entry) => exchangeOf(entry));
  for (const exchange of inFlight) known.set(exchange.id, exchange);
  const [survey] = ofType(entries, 'survey');
  return {
    run,
    info: survey && { ...survey.survey, profile: run.target.profile },
    record: [...known.values()],
    sent: new Map([...sent.values()].map(({ id, at }) => [id, at])),
    inFlight,
    shown: new Set(ofType(entries, 'shown').map(({ idempotencyKey }) => idempotencyKey)),
    trials: trialsOf(ofType(entries, 'trial'), known, file),
    invariants: ofType(entries, 'invariant'),
    finished: ofType(entries, 'finished').at(-1),
  };
}

/**
 * What the first line says of a run.
 * @throws {JournalReadError} Given none.
 */
export function runOf([run]: Iterable<Entry>, file: string): RunEntry {
  if (run?.type === 'run') return run;
  throw new JournalReadError(`${file} has no complete line: its run never began`);
}

function ofType<Type extends Entry['type']>(
  entries: readonly Entry[],
  type: Type,
): Extract<Entry, { type: Type }>[] {
  return entries.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type);
}

const KILLED: Outcome = { kind: 'uncertain', reason: 'the run was killed before an answer came' };

/** The exchange that was begun by a line. Without an outcome, nobody knows it. */
export function exchangeOf({ id, request, armed }: SentEntry, outcome = KILLED): Exchange {
  return {
    id,
    request,
    ...(armed !== undefined && { armed }),
    outcome,
  };
}

/** In the order in which they ended. */
function endedIn(
  entries: readonly Entry[],
  sent: ReadonlyMap<string, SentEntry>,
  file: string,
): Map<string, Exchange> {
  const known = new Map<string, Exchange>();
  for (const entry of entries) {
    if (entry.type === 'withheld') {
      const { id, request, reason } = entry;
      known.set(id, { id, request, outcome: { kind: 'not-sent', reason } });
    }
    if (entry.type !== 'ended') continue;
    const begun = sent.get(entry.id);
    if (begun === undefined) throw new JournalReadError(`${file}: ${entry.id} ended but was never sent`);
    known.set(entry.id, exchangeOf(begun, entry.outcome));
  }
  return known;
}

function trialsOf(
  entries: readonly TrialEntry[],
  known: ReadonlyMap<string, Exchange>,
  file: string,
): RecordedTrial[] {
  const exchange = (id: string): Exchange => {
    const found = known.get(id);
    if (found === undefined) throw new JournalReadError(`${file}: there is no exchange ${id}`);
    return found;
  };
  return entries
    .toSorted((a, b) => a.nth - b.nth)
    .map((entry) => {
      const counterpart = entry.control === undefined ? {} : { counterpart: exchange(entry.control) };
      return { entry, trial: { ...entry.data, exchanges: entry.exchanges.map(exchange), ...counterpart } };
    });
}
