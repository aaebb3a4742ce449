import type { Invariant } from '../kit/model/invariant.ts';
import { servedChatInvariant } from '../kit/judging/served-chat-invariant.ts';
import { normalResponse } from './normal-response.ts';

export const everyResponseIsNormal: Invariant = servedChatInvariant({
  id: 'every-response-is-normal',
  clauses: ['REQ-7'],
  title: 'streams nothing to a chat that asks for no stream, whatever its model and key',
  holds: normalResponse.holds,
});
