import { STATUS_CODES } from 'node:http';
import type { Entry, Har } from 'har-format';

/** Text, or bytes in base64. */
export type HarBody = { readonly text: string } | { readonly base64: string };

type Header = readonly [name: string, value: string];

/** A request and its answer, by whomever they were recorded. They hold no secret. */
export interface HarExchange {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly method: string;
  /** Whole, with scheme and authority. */
  readonly url: string;
  readonly headers: readonly Header[];
  /** Null: there is none, or it was not kept. */
  readonly body: HarBody | null;
  /** Null: no answer came. */
  readonly answer: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body: HarBody;
    /** Milliseconds since the start until its head came. */
    readonly ms: number;
  } | null;
  /** Milliseconds until the end. */
  readonly ms: number;
  readonly comment?: string;
  /** What only this program knows of it. */
  readonly known: object;
}

/** A document of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec), as the developer tools of browsers import it. */
export function harOf(exchanges: readonly HarExchange[], release: string): object {
  const creator = { name: 'chat-conformance', version: release };
  return { log: { version: '1.2', creator, entries: exchanges.map(entryOf) } } satisfies Har;
}

/** The same in pieces, for a file of any size. */
export function* harTexts(exchanges: Iterable<HarExchange>, release: string): Generator<string> {
  const [head = '', tail = ''] = JSON.stringify(harOf([], release)).split(/(?<=\[)(?=\])/);
  yield `${head}\n`;
  let separator = '';
  for (const exchange of exchanges) {
    yield `${separator}${JSON.stringify(entryOf(exchange))}`;
    separator = ',\n';
  }
  yield `\n${tail}\n`;
}

function entryOf(exchange: HarExchange): Entry {
  const { startedAt, ms, answer, comment, known } = exchange;
  const wait = answer?.ms ?? ms;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: ms,
    request: requestOf(exchange),
    response: responseOf(answer),
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, ms - wait) },
    ...(comment !== undefined && { comment }),
    // Members of one's own begin with an underscore.
    _chatConformance: known,
  };
}

const SHARED = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function requestOf({ method, url, headers, body }: HarExchange): Entry['request'] {
  return {
    ...SHARED,
    method,
    url,
    headers: headers.map(pair),
    queryString: [...new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')].map(pair),
    bodySize: body === null ? 0 : sizeOf(body),
    ...(body !== null &&
      sizeOf(body) > 0 && {
        postData: { mimeType: typeOf(headers), text: 'text' in body ? body.text : body.base64 },
      }),
  };
}

/** What browsers write where no answer came: status 0. */
function responseOf(answer: HarExchange['answer']): Entry['response'] {
  const { status = 0, headers = [], body = { text: '' } } = answer ?? {};
  const content = 'text' in body ? { text: body.text } : { text: body.base64, encoding: 'base64' };
  return {
    ...SHARED,
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: headers.map(pair),
    content: { size: sizeOf(body), mimeType: typeOf(headers), ...content },
    redirectURL: '',
    bodySize: answer === null ? -1 : sizeOf(body),
  };
}

function pair([name, value]: Header): { name: string; value: string } {
  return { name, value };
}

function typeOf(headers: readonly Header[]): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

function sizeOf(body: HarBody): number {
  return 'text' in body ? Buffer.byteLength(body.text) : Buffer.from(body.base64, 'base64').length;
}
