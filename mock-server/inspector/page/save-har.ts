import { type HarExchange, harOf } from '../../journal/har.ts';
import type { ShownEntry, ShownExchange } from '../../journal/shown-exchange.ts';
import { control, controlOf } from './control-api.ts';
import { baseOf } from './parts.tsx';

/** Saves requests with what came back as HAR 1.2, for the developer tools of a browser. */
export async function saveHar(entries: readonly ShownEntry[]): Promise<string> {
  const exchanges: HarExchange[] = [];
  // Bytes that are no request have no place in a HAR.
  for (const { sandbox, n } of entries.filter(({ path }) => path.startsWith('/'))) {
    const exchange = await control<ShownExchange>('GET', `${controlOf(sandbox)}/journal/${n}`);
    exchanges.push(toHar(exchange, baseOf(sandbox)));
  }
  const text = JSON.stringify(harOf(exchanges, 'of the inspector'));
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: 'requests.har' }).click();
  setTimeout(() => URL.revokeObjectURL(href));
  return 'Saved requests.har';
}

function toHar({ entry, phases, request, response }: ShownExchange, base: string): HarExchange {
  const { method, path, realAt, ended, faults, ledger, key, at, bytesWritten } = entry;
  const triggered = faults.map(({ fault, phase }) => `${fault} at ${phase}`);
  return {
    startedAt: realAt,
    method,
    url: `${base}${request?.url ?? path}`,
    headers: request?.headers ?? [],
    body: request?.body ?? null,
    answer: response && { ...response, body: response.body ?? { text: '' } },
    ms: entry.ms ?? 0,
    comment: [ended ?? 'running', ...triggered].join('; '),
    known: { key, at, ended, phases, faults, ledger, bytesWritten },
  };
}
