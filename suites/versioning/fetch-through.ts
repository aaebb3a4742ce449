import { HEADERS } from '../../fixtures/chats/chat.ts';
import type { Draft, Answer, Exchange } from '../engine/model/exchange.ts';
import type { Sender } from '../engine/model/stimulus.ts';
import { isMiscoded } from '../engine/reading/answers.ts';

/** A placeholder for the base URL of the target, which only the sender knows. */
export const CLIENT_BASE_URL = 'http://target.invalid/v1';

/** Headers that the sender sets itself. */
const SENDERS_OWN = new Set<string>([
  HEADERS.authorization,
  HEADERS.idempotencyKey,
  'content-length',
  'host',
]);
/** Headers of the transport, which describe the bytes on the wire. */
const TRANSPORTS_OWN = new Set([
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

/** What the `fetch` of Node adds to the headers of its caller. */
function headersOfFetch({ isSecure }: Sender): Record<string, string> {
  return {
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'accept-encoding': isSecure ? 'br, gzip, deflate' : 'gzip, deflate',
  };
}

/** What went through a `fetch`. */
export interface Passage {
  readonly exchanges: Exchange[];
  /** What our own code threw. */
  readonly failures: unknown[];
}

/**
 * A `fetch` that sends through a sender, so that its caps, keys and record apply to a client.
 * Rejects with a TypeError, as any `fetch` does, when no answer arrived.
 */
export function fetchThrough(sender: Sender, { exchanges, failures }: Passage): typeof fetch {
  const noted = async <T>(ours: () => Promise<T>): Promise<T> => {
    try {
      return await ours();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const exchange = await noted(async () => sender.send(await draftOf(request, headersOfFetch(sender))));
    exchanges.push(exchange);
    const { outcome } = exchange;
    if (outcome.kind !== 'answered') throw new TypeError(`fetch failed: ${outcome.reason}`);
    return noted(async () => responseOf(outcome.answer));
  };
}

async function draftOf(request: Request, added: Record<string, string>): Promise<Draft> {
  const key = request.headers.get(HEADERS.idempotencyKey);
  const own = [...request.headers].filter(([name]) => !SENDERS_OWN.has(name));
  const headers = { ...added, ...Object.fromEntries(own) };
  const draft = { path: request.url.slice(CLIENT_BASE_URL.length), headers } as const;
  if (request.method === 'GET') return { ...draft, method: 'GET', idempotencyKey: 'none' };
  const body = new Uint8Array(await request.arrayBuffer());
  return { ...draft, method: 'POST', body, idempotencyKey: key === null ? 'none' : 'fresh' };
}

function responseOf(answer: Answer): Response {
  const { status, headers, body } = answer;
  const kept = Object.entries(headers).filter(([name]) => !TRANSPORTS_OWN.has(name));
  // Response throws if one of these has a body.
  const empty = status === 204 || status === 205 || status === 304;
  const sent = isMiscoded(answer) ? brokenBody() : Buffer.from(body);
  return new Response(empty ? null : sent, { status, headers: kept });
}

/** Ends as that of a `fetch` does whose decoder fails. */
function brokenBody(): ReadableStream<Uint8Array> {
  const cause = new Error('the body is not in the content coding that the headers name');
  return new ReadableStream({ start: (body) => body.error(new TypeError('terminated', { cause })) });
}
