import { type HarBody, type HarExchange, harTexts } from '../../../mock-server/journal/har.ts';
import type { JournalLines } from '../../../suites/kit/journal/journal-lines.ts';
import type {
  RecordedBytes,
  RecordedCredential,
  RecordedOutcome,
  SentEntry,
} from '../../../suites/kit/model/journal.ts';
import { packageVersion } from '../terminal/own-package.ts';
import { writeWhole } from '../terminal/write-file.ts';

/** Writes every exchange of a journal that was sent to a file of HAR 1.2. */
export function exportHar(journal: JournalLines, file: string): void {
  writeWhole(file, harTexts(exchangesIn(journal), packageVersion()));
}

/** In the order in which they ended; those of unknown outcome last. */
function* exchangesIn(journal: JournalLines): Generator<HarExchange> {
  const running = new Map<string, SentEntry>();
  let baseUrl = '';
  for (const entry of journal) {
    if (entry.type === 'run') ({ baseUrl } = entry.target);
    if (entry.type === 'sent') running.set(entry.id, entry);
    const sent = entry.type === 'ended' ? running.get(entry.id) : undefined;
    if (entry.type !== 'ended' || sent === undefined) continue;
    running.delete(entry.id);
    yield toHar(baseUrl, sent, entry.outcome);
  }
  for (const sent of running.values()) yield toHar(baseUrl, sent);
}

function toHar(baseUrl: string, { id, at, request }: SentEntry, outcome?: RecordedOutcome): HarExchange {
  const { method, path, headers, credential, body } = request;
  const answer = outcome !== undefined && 'answer' in outcome ? outcome.answer : undefined;
  return {
    startedAt: Date.parse(at),
    method,
    url: `${baseUrl}${path}`,
    headers: [...authorization(credential), ...Object.entries(headers)],
    body: body === undefined ? null : bodyOf(body),
    answer:
      answer === undefined
        ? null
        : {
            status: answer.status,
            headers: Object.entries(answer.headers),
            body: bodyOf(answer.body),
            ms: answer.headersAt,
          },
    ms: answer?.endedAt ?? 0,
    comment: `${id}: ${outcome === undefined ? 'unknown outcome' : outcome.kind}`,
    known: { id, credential, outcome: outcome?.kind ?? null },
  };
}

/** No journal has a key. */
function authorization(credential: RecordedCredential): readonly (readonly [string, string])[] {
  if (credential.kind === 'none') return [];
  const what = credential.kind === 'key' ? `Bearer (a key: ${credential.name})` : `(${credential.label})`;
  return [['authorization', what]];
}

function bodyOf(bytes: RecordedBytes): HarBody {
  return 'text' in bytes ? { text: bytes.text } : { base64: bytes.base64 };
}
