import type { Exchange } from '../model/exchange.ts';
import type { Entry, RunEntry, SentEntry, TrialEntry } from './entry.ts';
import { outcomeFrom, requestFrom } from './exchange-entries.ts';
import { JournalReadError } from './journal-error.ts';
import { type Entries, readEntries } from './read-entries.ts';
import { surveyFrom } from './recorded-survey.ts';
import type { RecordedTrial, Recording } from './recording.ts';

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
    survey: survey && surveyFrom(survey.survey, run.target.profile),
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
      const control = entry.control === undefined ? {} : { control: exchange(entry.control) };
      return { entry, trial: { ...entry.data, exchanges: entry.exchanges.map(exchange), ...control } };
    });
}
