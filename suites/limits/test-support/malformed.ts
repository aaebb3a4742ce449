import type { Draft } from '../../kit/model/exchange.ts';
import { cutOffChat } from '../../kit/provoking/chat-drafts.ts';
import type { AnswerForTest } from '../../kit/test-support/exchange.ts';
import { infoForTest } from '../../kit/test-support/target-info.ts';

const CUT_OFF = cutOffChat(infoForTest()).body;

export function isCutOff({ body }: Draft): boolean {
  return body === CUT_OFF;
}

/** What a service says of JSON that is cut off. */
export const MALFORMED: AnswerForTest = {
  status: 400,
  body: { error: { code: 'invalid_json', message: 'The body is not JSON.', request_id: 'r' } },
};
