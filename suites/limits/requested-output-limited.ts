import { fewChats } from '../../fixtures/accepted-chats.ts';
import type { ChatBody } from '../../fixtures/chat.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { chatSettings } from '../kit/provoking/chat-settings.ts';
import { check } from '../kit/check.ts';
import { stimulus } from '../kit/stimulus.ts';
import type { Survey } from '../kit/survey.ts';
import type { Trial } from '../kit/trial.ts';
import { isTokenLimitError } from './token-limit-error.ts';

/** More than any model generates, and still an integer to every reader. */
const TOO_MANY_TOKENS = 2_000_000_000;

const MOST_OTHERS = 8;

/** Chats that ask for more output than there can be; the control asks for a usual amount. */
const chatsForTooMuchOutput = stimulus<Trial, ChatBody>({
  name: 'too-much-output',
  stage: 'free',
  few: 2,
  // One without `stream` and one with it: often checked elsewhere.
  steady: 2,
  inputs: (survey) => ({ first: [...fewChats(chatSettings(survey)), ...chatsForOthers(survey)] }),
  cost: (chat) => ({ refused: 1, open: 1, twins: [chatDraft(chat)] }),
  send: async (chat, sender) => {
    const control = await sender.control(chatDraft(chat));
    const mutant = chatDraft({ ...chat, max_tokens: TOO_MANY_TOKENS }, { needsOutput: TOO_MANY_TOKENS });
    return { exchanges: [await sender.send(mutant)], control };
  },
});

/** The smallest chat for each of the other models, where a completion more or less does not matter. */
function chatsForOthers({ models, outputTokens, thrifty }: Survey): readonly ChatBody[] {
  if (thrifty) return [];
  return models
    .slice(1, 1 + MOST_OTHERS)
    .map(({ id }) => fewChats({ model: id, maxTokens: outputTokens })[0]);
}

export const requestedOutputLimited = check({
  id: 'requested-output-limited',
  clauses: ['ERR-4'],
  title: 'answers a request for far too much output with an error',
  given: chatsForTooMuchOutput,
  holds: isTokenLimitError('no model can generate so many tokens'),
});
