import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { SentRequest } from '../model/exchange.ts';

export type Endpoint = keyof typeof ENDPOINTS;

/** The endpoint a request puts a proper question to; undefined for other paths and for other methods. */
export function endpointOf({ method, path }: SentRequest): Endpoint | undefined {
  if (method === 'POST') return path === ENDPOINTS.chat ? 'chat' : undefined;
  if (method !== 'GET') return undefined;
  if (path === ENDPOINTS.models) return 'models';
  return path === ENDPOINTS.vision ? 'vision' : undefined;
}
