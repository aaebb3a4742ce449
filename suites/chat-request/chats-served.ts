import { type JsonObject } from '../../fixtures/chats/chat.ts';
import { isServed } from '../kit/judging/is-served.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import { notExercised } from '../kit/model/ruling.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { sentChat } from '../kit/reading/answers.ts';
import { isJsonObject } from '../kit/reading/json.ts';

export const chatServed = check({
  id: 'chat-served',
  clauses: ['SVC-1'],
  title: 'answers text messages and a listed model ID with a completion',
  given: acceptedChats,
  holds: served(() => true),
});

export const rolesServed = check({
  id: 'roles-served',
  clauses: ['SVC-4'],
  title: 'accepts system, user and assistant messages in one request',
  given: acceptedChats,
  holds: served((chat) => rolesIn(chat).size > 1),
});

export const optionsServed = check({
  id: 'options-served',
  clauses: ['SVC-4'],
  title: 'accepts requests with and without temperature, max_tokens and stream',
  given: acceptedChats,
  holds: served((chat) => chat['max_tokens'] === undefined || 'temperature' in chat || 'stream' in chat),
});

/** Judges that the chats that exercise a clause are accepted. */
function served(bears: (chat: JsonObject) => boolean): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    const chat = exchange && sentChat(exchange.request);
    // Stryker disable next-line ConditionalExpression: only narrows the type: other shapes lead to the same result
    if (exchange === undefined || chat === undefined) return notExercised('no chat request was sent');
    return bears(chat) ? isServed(exchange, info) : notExercised('the request does not exercise this clause');
  };
}

function rolesIn({ messages }: JsonObject): Set<unknown> {
  // Stryker disable next-line ArrayDeclaration: neither fallback holds anything that is looked for
  const list = Array.isArray(messages) ? messages : [];
  return new Set(list.map((message: unknown) => (isJsonObject(message) ? message['role'] : undefined)));
}
