import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Draft, Answer, Exchange } from '../kit/model/exchange.ts';
import type { Sender } from '../kit/model/stimulus.ts';

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
    const exchange = await noted(async () => sender.send(await draftOf(request)));
    exchanges.push(exchange);
    const { outcome } = exchange;
    if (outcome.kind !== 'answered') throw new TypeError(`fetch failed: ${outcome.reason}`);
    return noted(async () => responseOf(outcome.answer));
  };
}

async function draftOf(request: Request): Promise<Draft> {
  const key = request.headers.get(HEADERS.idempotencyKey);
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !SENDERS_OWN.has(name)));
  const draft = { path: request.url.slice(CLIENT_BASE_URL.length), headers } as const;
  if (request.method === 'GET') return { ...draft, method: 'GET', idempotencyKey: 'none' };
  const body = new Uint8Array(await request.arrayBuffer());
  return { ...draft, method: 'POST', body, idempotencyKey: key === null ? 'none' : 'fresh' };
}

function responseOf({ status, headers, body }: Answer): Response {
  const kept = Object.entries(headers).filter(([name]) => !TRANSPORTS_OWN.has(name));
  // Response throws if one of these has a body.
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : Buffer.from(body), { status, headers: kept });
}
