import { errorCode } from '../files/read-json-file.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  type Entry,
  entrySchema,
  type FinishedEntry,
  type InvariantEntry,
  type RunEntry,
  type SentEntry,
  type TrialEntry,
} from '../model/journal.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { childPointer } from '../reading/json.ts';
import { outcomeFrom, requestFrom, targetInfoFrom } from './codecs.ts';
import { linesOf } from './read-lines.ts';

/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalReadError extends Error {
  override readonly name = 'JournalReadError';
}

/** A run, read from its journal. */
export interface Recording {
  readonly run: RunEntry;
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  /** Every exchange in the order in which they ended, those in flight last. */
  readonly record: readonly Exchange[];
  /** IDs of the exchanges that may have left, if only in part. */
  readonly sent: ReadonlySet<string>;
  /** Exchanges without a recorded end: their outcome is unknown. */
  readonly inFlight: readonly Exchange[];
  /** Idempotency-Keys of the requests that the workspace has shown as ended. */
  readonly shown: ReadonlySet<string>;
  /** In the order of the plan. */
  readonly trials: readonly RecordedTrial[];
  readonly invariants: readonly InvariantEntry[];
  /** Undefined where the run was killed. */
  readonly finished: FinishedEntry | undefined;
  /** ISO 8601: when the last request left. */
  readonly lastSentAt: string | undefined;
  readonly isTruncated: boolean;
}

export interface RecordedTrial {
  readonly entry: TrialEntry;
  readonly trial: Trial;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** Whether the run was killed while it wrote its last line. */
  readonly isTruncated: boolean;
}

/**
 * Reads a run from its journal, whether it finished or was killed.
 * @throws {JournalReadError} Given a file that is not a journal, or is damaged other than by a truncated last line.
 */
export function readJournal(file: string): Recording {
  return recordingOf(readEntries(file), file);
}

/**
 * Puts a run together from its lines; messages name the `file`.
 * @throws {JournalReadError} Given lines that contradict each other.
 */
export function recordingOf({ entries, isTruncated }: Entries, file: string): Recording {
  const run = runIn(entries, file);
  const sent = new Map(ofType(entries, 'sent').map((entry) => [entry.id, entry]));
  const ended = entries.flatMap((entry) => exchangeIn(entry, sent, file) ?? []);
  const known = new Map(ended.map((exchange) => [exchange.id, exchange]));
  const inFlight = [...sent.values()].filter(({ id }) => !known.has(id)).map(uncertain);
  for (const exchange of inFlight) known.set(exchange.id, exchange);
  const [found] = ofType(entries, 'survey');
  return {
    run,
    info: found && targetInfoFrom(found.survey, run.target.profile),
    record: [...known.values()],
    sent: new Set(sent.keys()),
    inFlight,
    shown: new Set(ofType(entries, 'shown').map(({ idempotencyKey }) => idempotencyKey)),
    trials: trialsIn(ofType(entries, 'trial'), known, file),
    invariants: ofType(entries, 'invariant'),
    finished: ofType(entries, 'finished').at(-1),
    lastSentAt: [...sent.values()].at(-1)?.at,
    isTruncated,
  };
}

function ofType<T extends Entry['type']>(entries: readonly Entry[], type: T): Extract<Entry, { type: T }>[] {
  return entries.filter((entry): entry is Extract<Entry, { type: T }> => entry.type === type);
}

function runIn([first, ...others]: readonly Entry[], file: string): RunEntry {
  if (first?.type !== 'run') throw new JournalReadError(`${file} has no complete line: its run never began`);
  if (others.some(({ type }) => type === 'run'))
    throw new JournalReadError(`${file} holds more than one run`);
  return first;
}

/** The exchange that ends with this line, if one does. */
function exchangeIn(entry: Entry, sent: ReadonlyMap<string, SentEntry>, file: string): Exchange | undefined {
  if (entry.type === 'withheld') {
    const { id, request, reason } = entry;
    return { id, request: requestFrom(request), outcome: { kind: 'not-sent', reason } };
  }
  if (entry.type !== 'ended') return undefined;
  const before = sent.get(entry.id);
  if (before === undefined) throw new JournalReadError(`${file}: ${entry.id} ended but was never sent`);
  return { ...begun(before), outcome: outcomeFrom(entry.outcome) };
}

function begun({ id, request, armed }: SentEntry): Omit<Exchange, 'outcome'> {
  return { id, request: requestFrom(request), ...(armed !== undefined && { armed }) };
}

function uncertain(entry: SentEntry): Exchange {
  const reason = 'the run was killed before an answer came';
  return { ...begun(entry), outcome: { kind: 'uncertain', reason } };
}

function trialsIn(
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

/**
 * Reads every line of a journal. Only the last one may be truncated.
 * @throws {JournalReadError} At the first line that is damaged.
 */
export function readEntries(file: string): Entries {
  const entries: Entry[] = [];
  let pending: string | undefined;
  const take = (line: string): void => {
    const number = entries.length + 1;
    entries.push(entryOf(jsonOf(line, file, number), file, number));
  };
  for (const line of readableLines(file)) {
    if (pending !== undefined) take(pending);
    pending = line;
  }
  // What stands after the last line break: nothing, or a line that the end of the run cut off.
  if (pending === undefined || pending === '') return { entries, isTruncated: false };
  if (parse(pending) === undefined) return { entries, isTruncated: true };
  take(pending);
  return { entries, isTruncated: false };
}

function* readableLines(file: string): Generator<string> {
  try {
    yield* linesOf(file);
  } catch (error) {
    throw new JournalReadError(`cannot read the journal ${file} (${errorCode(error)})`, { cause: error });
  }
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function jsonOf(line: string, file: string, number: number): unknown {
  const json = parse(line);
  if (json !== undefined) return json.value;
  throw new JournalReadError(
    number === 1 ? `${file} is not a journal: its first line is not JSON` : `${file}:${number}: is not JSON`,
  );
}

function entryOf(value: unknown, file: string, number: number): Entry {
  if (number === 1) requireVersion(value, file);
  const result = entrySchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? []).reduce<string>((parent, part) => childPointer(parent, String(part)), '');
  throw new JournalReadError(`${file}:${number}#${place}: ${issue?.message ?? 'is not a line of a journal'}`);
}

function requireVersion(value: unknown, file: string): void {
  const { format, version } = { format: undefined, version: undefined, ...Object(value) };
  if (format !== 'chat-conformance/journal') throw new JournalReadError(`${file} is not a journal`);
  if (version !== 1)
    throw new JournalReadError(
      `${file} is a journal of version ${String(version)}: this release reads version 1`,
    );
}
