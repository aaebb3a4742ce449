import { UsageError } from '../terminal/usage-error.ts';

/** What the runner itself answers for: a header given twice or wrong here would falsify what is judged. */
const OURS: ReadonlySet<string> = new Set([
  'authorization',
  'idempotency-key',
  'content-length',
  'host',
  'accept-encoding',
  'connection',
  'transfer-encoding',
]);

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e]+$/;

function headerOf(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // The value may be a secret, so no message shows it.
  if (!NAME.test(name)) throw new UsageError('--header must read NAME:VALUE');
  if (OURS.has(name)) throw new UsageError(`--header cannot set ${name}: every request carries its own`);
  const value = text.slice(colon + 1).trim();
  if (!VALUE.test(value))
    throw new UsageError(`--header ${name} needs a value of printable ASCII characters`);
  return [name, value];
}

/**
 * Headers to send with every request, names in lower case.
 * @throws {UsageError} Given one that is malformed, the runner's own, or there twice.
 */
export function extraHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const [name, value] of texts.map(headerOf)) {
    if (headers.has(name)) throw new UsageError(`--header ${name} is given twice`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
