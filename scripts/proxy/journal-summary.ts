import { type JournalLines, JournalReadError } from '../../suites/engine/journal/journal-lines.ts';
import { exchangeOf, runOf } from '../../suites/engine/journal/read-journal.ts';
import type { SentEntry } from '../../suites/engine/model/journal.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import { Observer } from './observer.ts';

const NOT_ENDED = 'the proxy has not ended, or was killed: its journal lacks what was under way';

/** What a proxy says of the traffic in its journal. The journal holds no verdicts: this release judges. */
export async function journalSummary(lines: JournalLines): Promise<Summary> {
  const { startedAt, target } = runOf(lines, lines.file);
  const { baseUrl } = target;
  let observer = new Observer({ baseUrl });
  let sent: SentEntry | undefined;
  let end = { durationMs: 0, cutShort: [NOT_ENDED] };
  for (const entry of lines) {
    if (entry.type === 'survey') observer = new Observer({ baseUrl, bufferedBy: entry.survey.bufferedBy });
    if (entry.type === 'sent') {
      sent = entry;
      end.durationMs = Date.parse(entry.at) - Date.parse(startedAt);
    }
    if (entry.type === 'finished') end = { durationMs: entry.durationMs, cutShort: [...entry.cutShort] };
    if (entry.type !== 'ended') continue;
    const { id, outcome, passed: facts } = entry;
    if (facts === undefined)
      throw new JournalReadError(`${lines.file} is of an older proxy: report it with that release`);
    if (id === sent?.id) await observer.note({ exchange: exchangeOf(sent, outcome), facts });
  }
  return observer.summary({ startedAt, ...end });
}
