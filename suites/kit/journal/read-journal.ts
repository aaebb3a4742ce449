import { readFileSync } from 'node:fs';
import type { Exchange } from '../model/exchange.ts';
import {
  type Entry,
  type RunEntry,
  type SentEntry,
  type TrialEntry,
  type FinishedEntry,
  type InvariantEntry,
  entrySchema,
} from '../model/journal.ts';
import { outcomeFrom, requestFrom } from './codecs.ts';
import { surveyFrom } from './entries.ts';
import type { TargetInfo } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';
import { childPointer } from '../reading/json.ts';
import { errorCode } from '../files/read-json-file.ts';

/**
 * Reads a run from its journal, whether it came to its end or not.
 * @throws {JournalReadError} Given a file that is none, or that is damaged in more than a last line that was broken off.
 */
export function readJournal(file: string): Recording {
  return recordingOf(readEntries(file), file);
}

/** Why a request has no outcome in the journal. */
const UNDER_WAY = 'the run was ended before an answer came';

/**
 * The run that these lines tell of; `file` is how they are called in messages.
 * @throws {JournalReadError} Given lines that contradict each other.
 */
export function recordingOf({ entries, isTruncated }: Entries, file: string): Recording {
  const run = runIn(entries, file);
  const sent = new Map(ofType(entries, 'sent').map((entry) => [entry.id, entry]));
  const ended = entries.flatMap((entry) => exchangeIn(entry, sent, file) ?? []);
  const known = new Map(ended.map((exchange) => [exchange.id, exchange]));
  const underWay = [...sent.values()].filter(({ id }) => !known.has(id)).map(lost);
  for (const exchange of underWay) known.set(exchange.id, exchange);
  const [survey] = ofType(entries, 'survey');
  return {
    run,
    info: survey && surveyFrom(survey.survey, run.target.profile),
    record: [...known.values()],
    sent: new Set(sent.keys()),
    underWay,
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
  if (first?.type !== 'run') throw new JournalReadError(`${file} holds no whole line: its run never began`);
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
  if (before === undefined) throw new JournalReadError(`${file}: ${entry.id} ended and was never sent`);
  return { ...begun(before), outcome: outcomeFrom(entry.outcome) };
}

function begun({ id, request, armed }: SentEntry): Omit<Exchange, 'outcome'> {
  return { id, request: requestFrom(request), ...(armed !== undefined && { armed }) };
}

function lost(entry: SentEntry): Exchange {
  return { ...begun(entry), outcome: { kind: 'uncertain', reason: UNDER_WAY } };
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

/** A run as its journal holds it. */
export interface Recording {
  readonly run: RunEntry;
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  /** Every exchange in the order of their ends, those under way last. */
  readonly record: readonly Exchange[];
  /** IDs of the exchanges of which at least a byte may have left. */
  readonly sent: ReadonlySet<string>;
  /** Those that no end was recorded of: their outcome is unknown. */
  readonly underWay: readonly Exchange[];
  /** Idempotency-Keys of requests that the workspace has shown the end of. */
  readonly shown: ReadonlySet<string>;
  /** In the order of the plan. */
  readonly trials: readonly RecordedTrial[];
  readonly invariants: readonly InvariantEntry[];
  /** Undefined where the run was ended from outside. */
  readonly finished: FinishedEntry | undefined;
  /** ISO 8601: when the last request left. */
  readonly lastSentAt: string | undefined;
  readonly isTruncated: boolean;
}

export interface RecordedTrial {
  readonly entry: TrialEntry;
  readonly trial: Trial;
}

/** The lines of a journal. */
export interface Entries {
  readonly entries: readonly Entry[];
  /** Whether the run was ended while it wrote its last line, of which only the beginning is there. */
  readonly isTruncated: boolean;
}

/**
 * Reads every line of a journal. Only the last one may be broken off.
 * @throws {JournalReadError} At the first line that is not as it was written.
 */
export function readEntries(file: string): Entries {
  const lines = textOf(file).split('\n');
  const rest = lines.pop() ?? '';
  const entries = lines.map((line, i) => entryOf(parsed(line, file, i + 1), file, i + 1));
  if (rest === '') return { entries, isTruncated: false };
  const last = wholeJson(rest);
  if (last === undefined) return { entries, isTruncated: true };
  return { entries: [...entries, entryOf(last.value, file, lines.length + 1)], isTruncated: false };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new JournalReadError(`cannot read the journal ${file} (${errorCode(error)})`, { cause: error });
  }
}

function wholeJson(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function parsed(line: string, file: string, number: number): unknown {
  const json = wholeJson(line);
  if (json !== undefined) return json.value;
  throw new JournalReadError(
    number === 1 ? `${file} is no journal: its first line is not JSON` : `${file}:${number}: is not JSON`,
  );
}

function entryOf(value: unknown, file: string, number: number): Entry {
  if (number === 1) rejectStranger(value, file);
  const result = entrySchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? []).reduce<string>((parent, part) => childPointer(parent, String(part)), '');
  throw new JournalReadError(`${file}:${number}#${place}: ${issue?.message ?? 'is no line of a journal'}`);
}

/** What is no journal at all, or one of another version, gets a message that says so. */
function rejectStranger(value: unknown, file: string): void {
  const { format, version } = { format: undefined, version: undefined, ...Object(value) };
  if (format !== 'chat-conformance/journal') throw new JournalReadError(`${file} is no journal`);
  if (version !== 1)
    throw new JournalReadError(
      `${file} is a journal of version ${String(version)}: this release reads version 1`,
    );
}

/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalReadError extends Error {
  override readonly name = 'JournalReadError';
}
