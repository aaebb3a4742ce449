import type { Completion } from '../chat/completion.ts';
import type { ReceivedRequest } from '../protocol/answer.ts';

/** A request of a chat, whose body is no chat yet. */
export const REQUEST: ReceivedRequest = {
  method: 'POST',
  url: '/v1/chat/completions',
  authorization: 'Bearer a',
  idempotencyKey: 'b',
  contentType: 'application/json',
  contentEncoding: undefined,
  fault: undefined,
  body: Buffer.from('{}'),
};

export const COMPLETION: Completion = {
  digest: 'a'.repeat(48),
  word: 1,
  model: { id: 'modèle "1"', contextTokens: 100, price: { input: 1, output: 1 } },
  stream: false,
  created: 17,
  inputTokens: 3,
  allowedTokens: 99,
};
