import { type HarExchange, harTexts } from '../../../mock-server/journal/har.ts';
import type { Recording } from '../../../suites/engine/journal/recording.ts';
import { recorded, recordedBytes } from '../../../suites/engine/journal/write-journal.ts';
import type { Credential, Exchange } from '../../../suites/engine/model/exchange.ts';
import { noteLine } from '../terminal/output.ts';
import { packageVersion } from '../terminal/own-package.ts';
import { prepareFile, writeWhole } from '../terminal/write-file.ts';

/**
 * Writes every exchange of a run that was sent to a file of HAR 1.2, and says so.
 * @throws {UsageError} When the file cannot be written.
 */
export function exportHar({ run, record, sent }: Recording, file: string): void {
  prepareFile(file);
  const exchanges = record.flatMap((exchange) => {
    const at = sent.get(exchange.id);
    return at === undefined ? [] : toHar(run.target.baseUrl, exchange, at);
  });
  writeWhole(file, harTexts(exchanges, packageVersion()));
  noteLine(`wrote ${file}`);
}

/** `at`: when it left (ISO 8601). */
function toHar(baseUrl: string, { id, request, outcome }: Exchange, at: string): HarExchange {
  const { method, path, headers, credential, body } = request;
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return {
    startedAt: Date.parse(at),
    method,
    url: `${baseUrl}${path}`,
    headers: [...authorization(credential), ...Object.entries(headers)],
    body: body === undefined ? null : recordedBytes(body),
    answer:
      answer === undefined
        ? null
        : {
            status: answer.status,
            headers: Object.entries(answer.headers),
            body: recordedBytes(answer.body),
            ms: answer.headersAt,
          },
    ms: answer?.endedAt ?? 0,
    comment: `${id}: ${outcome.kind}`,
    known: { id, credential: recorded(credential), outcome: outcome.kind },
  };
}

/** No journal has a key. */
function authorization(credential: Credential): readonly (readonly [string, string])[] {
  if (credential.kind === 'none') return [];
  const what = credential.kind === 'key' ? `Bearer (a key: ${credential.name})` : `(${credential.label})`;
  return [['authorization', what]];
}
