import type { Entry, Har } from 'har-format';
import type { ShownExchange, ShownMessage } from './shown-exchange.ts';

/**
 * Requests with what came back as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec), as the developer tools of browsers
 * import it. `baseOf`: the address of a world before `/v1`.
 */
export function harOf(
  exchanges: readonly ShownExchange[],
  baseOf: (world: string | null) => string,
  release: string,
): object {
  const creator = { name: 'chat-conformance', version: release };
  const entries = exchanges.map((each) => entryOf(each, baseOf(each.entry.sandbox)));
  return { log: { version: '1.2', creator, entries } } satisfies Har;
}

function entryOf({ entry, phases, request, response }: ShownExchange, base: string): Entry {
  const { method, path, realAt, ended, faults, ledger, key, at, bytesWritten } = entry;
  const time = entry.ms ?? 0;
  const wait = response?.ms ?? time;
  const url = `${base}${request?.url ?? path}`;
  const [sent, content] = [contentOf(request), contentOf(response)];
  const triggered = faults.map(({ fault, phase }) => `${fault} at ${phase}`);
  return {
    startedDateTime: new Date(realAt).toISOString(),
    time,
    request: {
      ...messageOf(request, sent.size),
      method,
      url,
      queryString: [...new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')].map(pair),
      ...(sent.size > 0 && { postData: { mimeType: sent.mimeType, text: sent.text } }),
    },
    // What browsers write where no answer came: status 0.
    response: {
      ...messageOf(response, response === null ? -1 : content.size),
      status: response?.status ?? 0,
      statusText: '',
      content,
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, time - wait) },
    comment: [ended ?? 'running', ...triggered].join('; '),
    // Members of one's own begin with an underscore.
    _chatConformance: { key, at, ended, phases, faults, ledger, bytesWritten },
  };
}

/** What requests and answers share. */
function messageOf(message: ShownMessage | null, bodySize: number) {
  const headers = (message?.headers ?? []).map(pair);
  return { httpVersion: 'HTTP/1.1', cookies: [], headers, headersSize: -1, bodySize };
}

function contentOf(message: ShownMessage | null) {
  const { headers, body } = message ?? { headers: [], body: null };
  const mimeType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (body === null || 'text' in body) return { size: body?.bytes ?? 0, mimeType, text: body?.text ?? '' };
  return { size: body.bytes, mimeType, text: body.base64, encoding: 'base64' };
}

function pair([name, value]: readonly [string, string]): { name: string; value: string } {
  return { name, value };
}
