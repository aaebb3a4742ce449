import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';

/** Headers that belong to one connection, and not to the message (RFC 9110, 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Names and values in turns, as they stand in a message. */
export type RawHeaders = readonly string[];

/** The value of the first header of this name, in lower case. */
export function headerIn(raw: RawHeaders, name: string): string | undefined {
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === name) return raw[i + 1];
  return undefined;
}

/** Lower-case names; repeated headers joined by a comma. */
export function headerRecord(raw: RawHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of namedValues(raw)) {
    const known = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`;
  }
  return headers;
}

/** What is passed on: every header in its order and spelling but those of the connection, and those left out here. */
export function passedHeaders(raw: RawHeaders, ...leftOut: readonly string[]): string[] {
  const named = (headerIn(raw, 'connection') ?? '').toLowerCase().split(',');
  const dropped = new Set([...leftOut, ...named.map((name) => name.trim())]);
  return namedValues(raw).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return OF_CONNECTION.has(lower) || dropped.has(lower) ? [] : [name, value];
  });
}
