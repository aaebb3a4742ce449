import { HEADERS } from '../../../fixtures/wire.ts';
import type { Credential, SentRequest } from '../exchange.ts';
import type { Keys, Target } from '../run.ts';
import type { WireRequest } from './transport.ts';

/** The request with all that the target is sent every time, the key among it; `basePath` is that of its base URL. */
export function wireRequest(
  request: SentRequest,
  { headers, keys }: Pick<Target, 'headers' | 'keys'>,
  basePath: string,
): WireRequest {
  const authorization = authorizationOf(request.credential, keys);
  return {
    method: request.method,
    path: basePath + request.path,
    headers: {
      // Who says nothing accepts any coding (RFC 9110), and what is judged are the bytes of the service.
      'accept-encoding': 'identity',
      ...headers,
      ...request.headers,
      ...(authorization !== undefined && { [HEADERS.authorization]: authorization }),
    },
    body: request.body,
  };
}

function authorizationOf(credential: Credential, keys: Keys): string | undefined {
  switch (credential.kind) {
    case 'none':
      return undefined;
    case 'forged':
      return credential.header(keys.primary);
    case 'key':
      return `Bearer ${keys[credential.name] ?? ''}`;
  }
}
