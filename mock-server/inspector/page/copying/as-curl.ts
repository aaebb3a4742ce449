import type { ShownExchange } from '../../../journal/shown-exchange.ts';

/** Headers that curl sets itself, or that belong to a connection. */
const LEFT_OUT = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);

/** A word that a POSIX shell takes as it is. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The headers that make a request what it is; the key is for whoever sends it. */
export function tellingHeaders({ request }: ShownExchange): readonly (readonly [string, string])[] {
  return (request?.headers ?? []).filter(
    ([name]) => !LEFT_OUT.has(name.toLowerCase()) && !name.toLowerCase().startsWith('sec-'),
  );
}

/** The body as text; undefined: there is none, or it is no text. */
export function bodyText({ request }: ShownExchange): string | undefined {
  const body = request?.body;
  return body === null || body === undefined || !('text' in body) || body.text === '' ? undefined : body.text;
}

/** The request as a curl command, with the key from $CHAT_API_KEY. `base` is the address before `/v1`. */
export function asCurl(exchange: ShownExchange, base: string): string {
  const { entry, request } = exchange;
  const headers = tellingHeaders(exchange).map(([name, value]) =>
    name.toLowerCase() === 'authorization'
      ? `--header "Authorization: ${/^bearer /i.test(value) ? 'Bearer ' : ''}$CHAT_API_KEY"`
      : `--header ${shellWord(`${name}: ${value}`)}`,
  );
  const body = bodyText(exchange);
  const url = `${base}${request?.url ?? entry.path}`;
  // curl would make several addresses of one.
  const globoff = /[[\]{}]/.test(url) ? ' --globoff' : '';
  const parts = [
    `curl --include${globoff} ${shellWord(url)}`,
    ...(entry.method === 'GET' || (entry.method === 'POST' && body !== undefined)
      ? []
      : [`--request ${shellWord(entry.method)}`]),
    ...headers,
    ...(body === undefined ? [] : [`--data-raw ${shellWord(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
