import type { Exchange } from '../model/exchange.ts';
import type {
  EndedEntry,
  Entry,
  FinishedEntry,
  InvariantEntry,
  RunEntry,
  SentEntry,
  TargetInfoEntry,
  TrialEntry,
  WithheldEntry,
} from '../model/journal.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { outcomeFrom, requestFrom, targetInfoFrom } from './codecs.ts';
import { JournalLines, JournalReadError } from './journal-lines.ts';
import { KeptBodies } from './kept-bodies.ts';

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

/**
 * Reads a run from its journal, whether it finished or was killed.
 * @throws {JournalReadError} Given a file that is not a journal, or is damaged other than by a truncated last line.
 */
export function readJournal(file: string): Recording {
  return recordingOf(new JournalLines(file), file);
}

/**
 * Puts a run together from its lines; messages name the `file`.
 * @throws {JournalReadError} Given lines that contradict each other.
 */
export function recordingOf(lines: Iterable<Entry>, file: string): Recording {
  const parts = new Parts(file);
  for (const line of lines) parts.take(line);
  return parts.recording(lines instanceof JournalLines && lines.isTruncated);
}

/** The lines of a run as they are read. */
class Parts {
  readonly #file: string;
  readonly #bodies = new KeptBodies();
  readonly #sent = new Map<string, Omit<Exchange, 'outcome'>>();
  readonly #known = new Map<string, Exchange>();
  readonly #shown = new Set<string>();
  readonly #trials: TrialEntry[] = [];
  readonly #invariants: InvariantEntry[] = [];
  #run: RunEntry | undefined;
  #info: TargetInfoEntry | undefined;
  #finished: FinishedEntry | undefined;
  #lastSentAt: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  take(entry: Entry): void {
    if ((entry.type === 'run') !== (this.#run === undefined)) throw new JournalReadError(this.#misplaced());
    switch (entry.type) {
      case 'run':
        this.#run = entry;
        return;
      case 'survey':
        this.#info ??= entry;
        return;
      case 'sent':
        this.#sent.set(entry.id, begun(entry));
        this.#lastSentAt = entry.at;
        return;
      case 'ended':
      case 'withheld': {
        const exchange = this.#ended(entry);
        this.#known.set(exchange.id, exchange);
        return;
      }
      case 'shown':
        this.#shown.add(entry.idempotencyKey);
        return;
      case 'trial':
        this.#trials.push(entry);
        return;
      case 'invariant':
        this.#invariants.push(entry);
        return;
      case 'finished':
        this.#finished = entry;
    }
  }

  #misplaced(): string {
    return this.#run === undefined
      ? `${this.#file} has no complete line: its run never began`
      : `${this.#file} holds more than one run`;
  }

  #ended(entry: EndedEntry | WithheldEntry): Exchange {
    if (entry.type === 'withheld') {
      const { id, request, reason } = entry;
      return { id, request: requestFrom(request), outcome: { kind: 'not-sent', reason } };
    }
    const before = this.#sent.get(entry.id);
    if (before === undefined)
      throw new JournalReadError(`${this.#file}: ${entry.id} ended but was never sent`);
    return this.#bodies.keep({ ...before, outcome: outcomeFrom(entry.outcome) });
  }

  recording(isTruncated: boolean): Recording {
    const run = this.#run;
    if (run === undefined) throw new JournalReadError(this.#misplaced());
    const inFlight = [...this.#sent.values()].filter(({ id }) => !this.#known.has(id)).map(uncertain);
    for (const exchange of inFlight) this.#known.set(exchange.id, exchange);
    return {
      run,
      info: this.#info && targetInfoFrom(this.#info.survey, run.target.profile),
      record: [...this.#known.values()],
      sent: new Set(this.#sent.keys()),
      inFlight,
      shown: this.#shown,
      trials: trialsIn(this.#trials, this.#known, this.#file),
      invariants: this.#invariants,
      finished: this.#finished,
      lastSentAt: this.#lastSentAt,
      isTruncated,
    };
  }
}

function begun({ id, request, armed }: SentEntry): Omit<Exchange, 'outcome'> {
  return { id, request: requestFrom(request), ...(armed !== undefined && { armed }) };
}

function uncertain(sent: Omit<Exchange, 'outcome'>): Exchange {
  return { ...sent, outcome: { kind: 'uncertain', reason: 'the run was killed before an answer came' } };
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
