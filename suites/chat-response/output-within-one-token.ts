import type { ChatBody } from '../../fixtures/chat.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { check } from '../kit/check.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import { stimulus } from '../kit/stimulus.ts';
import type { Trial } from '../kit/trial.ts';
import { isWithinMaxTokens } from './output-within-max-tokens.ts';

const LONG_TASK = 'Count from one to two hundred in words, one number a line.';

/**
 * A task that takes hundreds of tokens, with max_tokens 1, whole and streamed: of so little even a text tells
 * whether the maximum was kept, whatever usage says. A service may have a larger minimum, and refuse it (REQ-8).
 */
const oneToken = stimulus<Trial, ChatBody>({
  name: 'one-token',
  stage: 'paid',
  few: 2,
  inputs: (survey) => {
    const chat: ChatBody = {
      ...smallestChat(survey),
      messages: [{ role: 'user', content: LONG_TASK }],
      max_tokens: 1,
    };
    return { first: [chat, { ...chat, stream: true }] };
  },
  cost: () => ({ served: 1 }),
  send: async (chat, sender) => ({ exchanges: [await sender.send(chatDraft(chat))] }),
});

export const outputWithinOneToken = check({
  id: 'output-within-one-token',
  clauses: ['REQ-9'],
  title: 'generates a single token where max_tokens is 1, however long the task',
  given: oneToken,
  holds: isWithinMaxTokens,
});
