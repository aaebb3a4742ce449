import type { Entry, Har } from 'har-format';

/** Text, or bytes in base64. */
export type HarBody = { readonly text: string } | { readonly base64: string };

/** A header, as it was sent. */
export type HarHeader = readonly [name: string, value: string];

/** A request and its answer, by whomever they were recorded. They hold no secret. */
export interface HarExchange {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly method: string;
  /** Whole, with scheme and authority. */
  readonly url: string;
  readonly headers: readonly HarHeader[];
  /** Null: there is none, or it was not kept. */
  readonly body: HarBody | null;
  /** Null: no answer came. */
  readonly answer: {
    readonly status: number;
    readonly headers: readonly HarHeader[];
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

/** What requests and answers share. */
function messageOf(headers: readonly HarHeader[], size: number) {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(pair),
    headersSize: -1,
    bodySize: size,
  };
}

function requestOf({ method, url, headers, body }: HarExchange): Entry['request'] {
  const { size, mimeType, text } = contentOf(headers, body);
  return {
    ...messageOf(headers, size),
    method,
    url,
    queryString: [...new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')].map(pair),
    ...(size > 0 && { postData: { mimeType, text } }),
  };
}

/** What browsers write where no answer came: status 0. */
function responseOf(answer: HarExchange['answer']): Entry['response'] {
  const { status = 0, headers = [], body = null } = answer ?? {};
  const content = contentOf(headers, body);
  return {
    ...messageOf(headers, answer === null ? -1 : content.size),
    status,
    statusText: '',
    content,
    redirectURL: '',
  };
}

function contentOf(headers: readonly HarHeader[], body: HarBody | null) {
  const mimeType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (body === null || 'text' in body) {
    const { text } = body ?? { text: '' };
    return { size: new TextEncoder().encode(text).length, mimeType, text };
  }
  const { base64 } = body;
  return { size: atob(base64).length, mimeType, text: base64, encoding: 'base64' };
}

function pair([name, value]: HarHeader): { name: string; value: string } {
  return { name, value };
}
