import { isJsonObject, type Json, type JsonObject } from '../second-service/choices.ts';
import { type SecondDefects, failOn, isList, rewriteChat, rewriteMessages } from './second-defect.ts';

const textsIn = ({ messages }: JsonObject): readonly string[] =>
  isList(messages)
    ? messages.flatMap((each) =>
        isJsonObject(each) && typeof each['content'] === 'string' ? [each['content']] : [],
      )
    : [];

const numberOf = (value: Json): Json => (typeof value === 'boolean' ? Number(value) : value);

/** The joined texts of parts, if the first is a text. */
function textBehind(content: Json): Json {
  if (!isList(content)) return content;
  const texts = content.map((part) => (isJsonObject(part) ? part['text'] : undefined));
  return typeof texts[0] === 'string' ? texts.filter((text) => typeof text === 'string').join(' ') : content;
}

/** Chats that are taken for others. */
export const SECOND_CHAT_DEFECTS = {
  'underscored-fields-private': {
    clauses: ['REQ-6'],
    story: 'A field that begins with an underscore is a private note of the caller and is skipped',
    amend: rewriteChat((chat) =>
      Object.fromEntries(Object.entries(chat).filter(([name]) => !name.startsWith('_'))),
    ),
  },
  'fields-in-camel-case-too': {
    clauses: ['REQ-6'],
    story: 'The JSON mapper also knows each field by its name in camel case',
    amend: rewriteChat((chat) => {
      const { maxTokens, ...others } = chat;
      return maxTokens === undefined ? chat : { max_tokens: maxTokens, ...others };
    }),
  },
  'flags-are-integers': {
    clauses: ['REQ-3', 'REQ-4'],
    story: 'In the language of the service a boolean is an integer and passes for one',
    amend: rewriteChat((chat) =>
      Object.fromEntries(
        Object.entries(chat).map(([name, value]) => [name, name === 'stream' ? value : numberOf(value)]),
      ),
    ),
  },
  'role-within-a-list-of-words': {
    clauses: ['MSG-1'],
    story: 'Roles are looked up in a string that holds all three, not in a list',
    amend: rewriteMessages((message) => {
      const { role } = message;
      const isFound = typeof role === 'string' && 'system, user, assistant'.includes(role);
      return isFound && role !== 'assistant' && role !== 'system' ? { ...message, role: 'user' } : message;
    }),
  },
  'assistant-may-say-null': {
    clauses: ['MSG-2'],
    story: 'An assistant message may be null, as for tool calls elsewhere',
    amend: rewriteMessages((message) =>
      message['role'] === 'assistant' && message['content'] === null ? { ...message, content: '-' } : message,
    ),
  },
  'first-part-decides': {
    clauses: ['MSG-3', 'MSG-4'],
    story: 'The first part decides the kind of a list, and images behind a text go unseen',
    alsoBlamed: {
      'MSG-2': 'whatever else stands behind a text goes unseen too',
      'SVC-5': 'parts of tool calls among it',
    },
    amend: rewriteMessages((message) => {
      const { content } = message;
      return content === undefined ? message : { ...message, content: textBehind(content) };
    }),
  },
  'history-uncounted': {
    clauses: ['ERR-4'],
    story: 'Only the last message counts as input: the history is kept elsewhere',
    amend: rewriteChat((chat) => {
      const { messages } = chat;
      if (!isList(messages)) return chat;
      const counted = messages.map((each, index) =>
        index < messages.length - 1 && isJsonObject(each) && typeof each['content'] === 'string'
          ? { ...each, content: each['content'].slice(0, 1) }
          : each,
      );
      return { ...chat, messages: counted };
    }),
  },
  'model-called-constructor-fails': {
    clauses: ['ERR-11'],
    story: 'Models are looked up in a plain object, which inherits names that are not models',
    amend: failOn(({ model }) => typeof model === 'string' && model in Object.prototype),
  },
  'percent-sign-fails': {
    clauses: ['ERR-11', 'SVC-1'],
    story: 'User text becomes the format of a log line, where a percent sign needs a value',
    alsoBlamed: { 'SVC-4': 'such a text may stand in a message of any role' },
    amend: failOn((chat) => textsIn(chat).some((text) => /%(?!%)/.test(text))),
  },
} satisfies SecondDefects;
