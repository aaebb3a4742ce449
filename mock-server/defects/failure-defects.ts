import { isUtf8 } from 'node:buffer';
import { type Defect, defectsAt, defectsOf } from './kit/defect.ts';
import { isObject } from './kit/json-members.ts';
import { LARGE_CHATS } from './kit/places.ts';
import { failOn, hangUpOn, isChat, jsonOf, refuse, type Sent } from './kit/requests.ts';

const isNotJson = ({ request }: Sent): boolean => jsonOf(request) === undefined;
const isDeep = ({ text }: Sent): boolean => text.includes('['.repeat(200));

/** Fails on a chat in which a message is such. */
const failOnMessage = (includes: (message: unknown, index: number) => boolean) =>
  failOn(({ messages }) => messages.some(includes));

/** The service fails, or hangs up, instead of refusing (ERR-11). */
export const FAILURE_DEFECTS = {
  ...defectsOf(['ERR-11'], 'A malformed or unusual body throws, and nothing catches it', failOn, {
    'parse-error-fails': isNotJson,
    'body-no-object-fails': (sent) => !isNotJson(sent) && !isObject(jsonOf(sent.request)),
    'null-body-fails': ({ text }) => text === 'null',
    'empty-body-fails': ({ text }) => text === '',
    'lone-surrogate-fails': ({ text }) => /\\ud[89a-f]/i.test(text),
    'nul-fails': ({ text }) => text.includes(String.raw`\u0000`),
    'deep-body-fails': isDeep,
    'huge-number-fails': ({ text }) => /:\s*(?:\d{20,}|1e400|9223372036854775808)/.test(text),
    'invalid-utf8-fails': ({ request }) => !isUtf8(request.body ?? Buffer.from('')),
    'proto-field-fails': ({ text }) => text.includes('__proto__'),
    'missing-content-type-fails': ({ request }) => request.contentType === undefined,
    'long-history-fails': ({ messages }) => messages.length > 30,
    'missing-messages-fail': ({ chat }) => !Object.hasOwn(chat, 'messages'),
  }),
  ...defectsOf(['ERR-11'], 'An unusual message throws, and nothing catches it', failOnMessage, {
    'empty-content-fails': (message) => isObject(message) && message['content'] === '',
    'system-message-later-fails': (message, index) =>
      isObject(message) && index > 0 && message['role'] === 'system',
    'null-message-fails': (message) => message === null,
    'role-of-no-text-fails': (message) => isObject(message) && typeof message['role'] !== 'string',
  }),
  ...defectsOf(['ERR-11'], 'A malformed body kills the worker, and the connection with it', hangUpOn, {
    'parse-error-hangs-up': isNotJson,
    'deep-body-hangs-up': isDeep,
  }),
  ...defectsAt(['ERR-11'], 'The buffer of the parser overflows', refuse('internal_error', isChat), {
    'large-body-fails': LARGE_CHATS,
  }),
  ...defectsAt(
    ['ERR-11'],
    'The proxy cuts the connection',
    hangUpOn(() => true),
    { 'large-body-hangs-up': LARGE_CHATS },
  ),
  'emoji-fails': {
    clauses: ['ERR-11', 'SVC-1'],
    alsoBlamed: { 'SVC-4': 'a chat that fails may have several roles or options' },
    story: 'The log cannot write characters beyond the basic plane, and throws',
    ...failOn(({ text }) => /\p{Extended_Pictographic}/u.test(text)),
  },
} as const satisfies Readonly<Record<string, Defect>>;
