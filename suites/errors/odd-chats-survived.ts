import * as fc from 'fast-check';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { interleave } from '../../fixtures/chats/combinations.ts';
import { ODD_STRINGS, oddText } from '../../fixtures/chats/texts.ts';
import { unusualOrder, unusualOrderExamples } from '../../fixtures/chats/unusual-orders.ts';
import { check } from '../kit/model/check.ts';
import { type Inputs, stimulus, type Trial } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { chatDraft, chatSettings, smallestChat } from '../kit/provoking/chat-drafts.ts';
import { isServedOrRefusedProperly } from './served-or-refused.ts';

/** Well-formed chats with odd texts, or with roles in unusual orders; a service may refuse any of them. */
const oddChats = stimulus<Trial, ChatBody>({
  name: 'odd-chats',
  stage: 'paid',
  cappedCount: 5,
  // A system message alone, an odd text, and a long history.
  fixedCount: 3,
  inputs: oddInputs,
  cost: (_, info) => ({ served: 1, counterparts: [chatDraft(smallestChat(info))] }),
  send: async (chat, sender, info) => ({
    counterpart: await sender.sendCounterpart(chatDraft(smallestChat(info))),
    exchanges: [await sender.send(chatDraft(chat))],
  }),
});

function oddInputs(info: TargetInfo): Inputs<ChatBody> {
  const settings = chatSettings(info);
  const saying = (content: string): ChatBody => ({
    ...smallestChat(info),
    messages: [{ role: 'user', content }],
  });
  return {
    examples: interleave(unusualOrderExamples(settings), ODD_STRINGS.map(saying)),
    arbitrary: fc.oneof(oddText.map(saying), unusualOrder(settings)),
  };
}

export const oddChatsSurvived = check({
  id: 'odd-chats-survived',
  clauses: ['ERR-11'],
  title: 'serves unusual texts and message orders, or refuses them with an error object',
  because: 'by the specification a request is either served or refused',
  given: oddChats,
  holds: isServedOrRefusedProperly,
});
