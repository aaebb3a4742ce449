import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { JournalLines } from '../../suites/kit/journal/journal-lines.ts';
import type { Entry } from '../../suites/kit/model/journal.ts';
import { journalOfRun, type MeasuredCommand, measuredReport } from './attacked-run.ts';
import { withOwnFolder } from './own-folder.ts';

/** What makes a journal large. */
export const LARGE_JOURNALS = {
  /** Few answers, each as large as a run keeps. */
  'large-answers-journal': { size: 400, bodyBytes: 2 * 1024 * 1024 },
  'middling-answers-journal': { size: 400, bodyBytes: 20_000 },
  /** Very many answers. */
  'small-answers-journal': { size: 100, bodyBytes: 0 },
} as const;

/** A quotation mark takes two bytes in a journal, and the last letter two in memory. */
const FILL = 'Some "text" of a service – ';

/** Makes the reports of a journal of so many MB: that of a run against the mock, over and over, with such bodies. */
export async function largeJournal(megabytes: number, bodyBytes: number): Promise<MeasuredCommand> {
  return withOwnFolder(async (folder) => {
    const file = join(folder, 'large.ndjson');
    const fd = openSync(file, 'wx');
    let size = 0;
    for (const entry of repeatedRun(
      [...entriesIn(await journalOfRun(folder))],
      bodyBytes,
      () => size < megabytes * 1e6,
    ))
      size += writeSync(fd, `${JSON.stringify(entry)}\n`);
    closeSync(fd);
    return { ...(await measuredReport(file, folder)), journalMB: size / 1e6 };
  });
}

function* entriesIn(file: string): Generator<Entry> {
  for (const { whole } of new JournalLines(file)) yield whole();
}

/** Which exchanges were sent in which repetition decides what else of them follows. */
function* repeatedRun(run: readonly Entry[], bodyBytes: number, isShort: () => boolean): Generator<Entry> {
  yield* run.filter(({ type }) => type === 'run' || type === 'survey');
  for (let nth = 0; isShort(); nth += 1) {
    const sent = new Set<string>();
    for (const entry of run) {
      if (entry.type === 'sent' && isShort()) sent.add(entry.id);
      yield* repeated(entry, { nth, sent, bodyBytes });
    }
  }
  yield* run.filter(({ type }) => type === 'finished');
}

interface Repetition {
  readonly nth: number;
  readonly sent: ReadonlySet<string>;
  readonly bodyBytes: number;
}

function* repeated(entry: Entry, { nth, sent, bodyBytes }: Repetition): Generator<Entry> {
  const id = (own: string): string => `${own}~${nth}`;
  if (entry.type === 'sent' && sent.has(entry.id)) yield { ...entry, id: id(entry.id) };
  if (entry.type === 'ended' && sent.has(entry.id))
    yield { ...entry, id: id(entry.id), outcome: filled(entry.outcome, bodyBytes) };
  if (entry.type !== 'trial') return;
  const { control, exchanges } = entry;
  if (![...exchanges, control ?? exchanges].flat().every((each) => sent.has(each))) return;
  const counterpart = control === undefined ? {} : { control: id(control) };
  const place = nth * 100_000 + entry.nth;
  yield { ...entry, id: id(entry.id), nth: place, exchanges: exchanges.map(id), ...counterpart };
}

type Outcome = Extract<Entry, { type: 'ended' }>['outcome'];

function filled(outcome: Outcome, bytes: number): Outcome {
  if (outcome.kind !== 'answered' || !('text' in outcome.answer.body)) return outcome;
  const { text } = outcome.answer.body;
  const body = { text: text + FILL.repeat(Math.max(0, bytes - text.length) / FILL.length) };
  return { ...outcome, answer: { ...outcome.answer, body } };
}
