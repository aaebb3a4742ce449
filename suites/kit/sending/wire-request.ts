import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Credential, ForgedCredential, SentRequest } from '../model/exchange.ts';
import type { Keys, Target } from '../model/run.ts';
import type { WireRequest } from './transport.ts';

/** The request with all that the target is sent every time, the key among it; `basePath` is that of its base URL. */
export function wireRequest(
  request: SentRequest,
  { headers, keys }: Pick<Target, 'headers' | 'keys'>,
  basePath: string,
): WireRequest {
  const { headers: bearing, query = '' } = bearingOf(request.credential, keys);
  return {
    method: request.method,
    path: basePath + request.path + query,
    headers: {
      // Who says nothing accepts any coding (RFC 9110), and what is judged are the bytes of the service.
      'accept-encoding': 'identity',
      ...headers,
      ...request.headers,
      ...bearing,
    },
    body: request.body,
  };
}

/** What of a request bears its credential; `query` with its question mark. */
interface Bearing {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

function bearingOf(credential: Credential, keys: Keys): Bearing {
  switch (credential.kind) {
    case 'none':
      return {};
    case 'forged':
      return forgedBearing(credential, keys.primary);
    case 'key':
      return { headers: { [HEADERS.authorization]: `Bearer ${keys[credential.name] ?? ''}` } };
  }
}

function forgedBearing({ header, elsewhere }: ForgedCredential, key: string): Bearing {
  const value = header(key);
  if (elsewhere === undefined) return { headers: { [HEADERS.authorization]: value } };
  if ('header' in elsewhere) return { headers: { [elsewhere.header]: value } };
  return { query: `?${new URLSearchParams({ [elsewhere.query]: value }).toString()}` };
}
