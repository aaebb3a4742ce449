import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Draft } from '../model/draft.ts';

/** A chat completion request as a faithful caller sends it; `extra` says what is different this time. */
export function chatDraft(body: object, extra: Partial<Draft> = {}): Draft {
  return {
    method: 'POST',
    path: ENDPOINTS.chat,
    body: JSON.stringify(body),
    ...extra,
    headers: { [HEADERS.contentType]: 'application/json', ...extra.headers },
  };
}
