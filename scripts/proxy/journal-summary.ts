import { outcomeFrom, requestFrom, targetInfoFrom } from '../../suites/kit/journal/codecs.ts';
import type { Entry, RunEntry, SentEntry } from '../../suites/kit/model/journal.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { Observer } from './observer.ts';

const NOT_ENDED = 'the proxy has not ended, or was killed: its journal lacks what was under way';

/** What a proxy says of the traffic in its journal. The journal holds no verdicts: this release judges. */
export async function journalSummary(run: RunEntry, lines: Iterable<Entry>): Promise<Summary> {
  const { startedAt, target } = run;
  const { baseUrl, profile } = target;
  let observer = new Observer({ baseUrl });
  let sent: SentEntry | undefined;
  let end = { durationMs: 0, cutShort: [NOT_ENDED] };
  for (const entry of lines) {
    if (entry.type === 'survey')
      observer = new Observer({ baseUrl, bufferedBy: targetInfoFrom(entry.survey, profile).bufferedBy });
    if (entry.type === 'sent') {
      sent = entry;
      end.durationMs = Date.parse(entry.at) - Date.parse(startedAt);
    }
    if (entry.type === 'finished') end = { durationMs: entry.durationMs, cutShort: [...entry.cutShort] };
    if (entry.type !== 'ended' || entry.passed === undefined || entry.id !== sent?.id) continue;
    const exchange = {
      id: entry.id,
      request: requestFrom(sent.request),
      outcome: outcomeFrom(entry.outcome),
    };
    await observer.note({ exchange, facts: entry.passed });
  }
  return observer.summary({ startedAt, ...end });
}
