import { isMembers, type Json, type JsonMembers } from '../json.ts';
import { amiss, failing, isList, misreading, misreadingMessages } from './amiss.ts';

const textsIn = ({ messages }: JsonMembers): readonly string[] =>
  isList(messages)
    ? messages.flatMap((each) =>
        isMembers(each) && typeof each['content'] === 'string' ? [each['content']] : [],
      )
    : [];

const numberOf = (value: Json): Json => (typeof value === 'boolean' ? Number(value) : value);

/** The text of parts of which the first is text. */
function textBehind(content: Json): Json {
  if (!isList(content)) return content;
  const texts = content.map((part) => (isMembers(part) ? part['text'] : undefined));
  return typeof texts[0] === 'string' ? texts.filter((text) => typeof text === 'string').join(' ') : content;
}

/** Requests that are not told from others. */
export const CHAT_DEFECTS = amiss({
  'underscored-fields-private': misreading((chat) =>
    Object.fromEntries(Object.entries(chat).filter(([name]) => !name.startsWith('_'))),
  ),
  'fields-in-camel-case-too': misreading((chat) => {
    const { maxTokens, ...others } = chat;
    return maxTokens === undefined ? chat : { max_tokens: maxTokens, ...others };
  }),
  'flags-are-integers': misreading((chat) =>
    Object.fromEntries(
      Object.entries(chat).map(([name, value]) => [name, name === 'stream' ? value : numberOf(value)]),
    ),
  ),
  'role-within-a-list-of-words': misreadingMessages((message) => {
    const { role } = message;
    const isFound = typeof role === 'string' && 'system, user, assistant'.includes(role);
    return isFound && role !== 'assistant' && role !== 'system' ? { ...message, role: 'user' } : message;
  }),
  'assistant-may-say-null': misreadingMessages((message) =>
    message['role'] === 'assistant' && message['content'] === null ? { ...message, content: '-' } : message,
  ),
  'first-part-decides': misreadingMessages((message) => {
    const { content } = message;
    return content === undefined ? message : { ...message, content: textBehind(content) };
  }),
  'history-uncounted': misreading((chat) => {
    const { messages } = chat;
    if (!isList(messages)) return chat;
    const counted = messages.map((each, index) =>
      index < messages.length - 1 && isMembers(each) && typeof each['content'] === 'string'
        ? { ...each, content: each['content'].slice(0, 1) }
        : each,
    );
    return { ...chat, messages: counted };
  }),
  'model-called-constructor-fails': failing(
    ({ model }) => typeof model === 'string' && model in Object.prototype,
  ),
  'percent-sign-fails': failing((chat) => textsIn(chat).some((text) => /%(?!%)/.test(text))),
});
