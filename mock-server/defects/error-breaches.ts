import { isUtf8 } from 'node:buffer';

import type { ERROR_DEFECTS } from './error-defects.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { type Fields, isFields, without } from './fields.ts';
import { isChat, jsonOf } from './misreads.ts';
import { misspellsErrors, misspellsItems, withJson, withText } from './misspells.ts';
import { failsOnBody, hangsUpOnBody, refuses, refusesChats } from './refuses.ts';

const VALIDATION = ['unknown_field', 'missing_field', 'invalid_value', 'image_not_allowed'];
const KEY = ['missing_key', 'invalid_key'];
const LARGE = 65_536;
const PAGE = '<html><body><h1>Error</h1></body></html>';

const withoutId = (codes: readonly string[]): DefectHooks =>
  misspellsItems(codes, (items) => without(items, 'request_id'));

const withItem = (codes: readonly string[], name: string, value: () => unknown): DefectHooks =>
  misspellsItems(codes, (items) => ({ ...items, [name]: value() }));

const failsOnChat = (when: (chat: Fields) => boolean): DefectHooks => refusesChats(when, 'internal_error');

const isNoJson = (body: string): boolean => jsonIn(body) === undefined;
const isDeep = (body: string): boolean => body.includes('['.repeat(200));
const isLarge = (body: string): boolean => body.length > LARGE;

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const messagesOf = ({ messages }: Fields): readonly unknown[] => (Array.isArray(messages) ? messages : []);

const someMessage = (holds: (message: unknown, index: number) => boolean): DefectHooks =>
  failsOnChat((chat) => messagesOf(chat).some(holds));

export const ERROR_BREACHES: Breaches<typeof ERROR_DEFECTS> = {
  'validation-errors-without-request-id': () => withoutId(VALIDATION),
  'key-errors-without-request-id': () => withoutId(KEY),
  'scope-errors-without-request-id': () => withoutId(['missing_scope']),
  'model-errors-without-request-id': () => withoutId(['unknown_model']),
  'errors-without-code': () => misspellsItems([], (items) => without(items, 'code')),
  'errors-with-null-code': () => withItem([], 'code', () => null),
  'errors-without-message': () => misspellsItems([], (items) => without(items, 'message')),
  'errors-with-empty-message': () => withItem([], 'message', () => ''),
  'errors-are-texts': () => misspellsItems([], ({ message }) => message),
  'framework-errors-for-validation': () =>
    misspellsErrors(VALIDATION, (answer) => ({
      ...withJson(answer, () => ({
        detail: [{ loc: ['body'], msg: 'Input should be valid', type: 'value_error' }],
      })),
      status: 422,
    })),
  'key-errors-in-plain-text': () =>
    misspellsErrors(KEY, (answer) => withText(answer, 'text/plain', 'Unauthorized')),
  'key-errors-empty': () => misspellsErrors(KEY, (answer) => withText(answer, 'text/plain', '')),
  'errors-in-latin-1': () =>
    misspellsErrors([], (answer) => ({
      ...answer,
      body: answer.body.replace('"message":"', '"message":"\u00ab'),
    })),
  'parse-error-in-html': () =>
    misspellsErrors(['invalid_json', 'invalid_encoding'], (answer) => withText(answer, 'text/html', PAGE)),
  'parse-error-fails': () => failsOnBody(isNoJson),
  'parse-error-hangs-up': () => hangsUpOnBody(isNoJson),
  'body-no-object-fails': () =>
    refuses('internal_error', (request) => {
      const json = isChat(request) ? jsonOf(request) : undefined;
      return json !== undefined && !isFields(json);
    }),
  'null-body-fails': () => failsOnBody((body) => body === 'null'),
  'empty-body-fails': () => failsOnBody((body) => body === ''),
  'lone-surrogate-fails': () => failsOnBody((body) => /\\ud[89a-f]/i.test(body)),
  'nul-fails': () => failsOnBody((body) => body.includes(String.raw`\u0000`)),
  'deep-body-fails': () => failsOnBody(isDeep),
  'deep-body-hangs-up': () => hangsUpOnBody(isDeep),
  'huge-number-fails': () => failsOnBody((body) => /:\s*(?:\d{20,}|1e400|9223372036854775808)/.test(body)),
  'large-body-fails': () => failsOnBody(isLarge),
  'large-body-hangs-up': () => hangsUpOnBody(isLarge),
  'large-body-in-html': () => ({
    onResponse: (answer, request) =>
      isChat(request) && (request.body?.length ?? 0) > LARGE
        ? { ...withText(answer, 'text/html', PAGE), status: 413 }
        : answer,
  }),
  'invalid-utf8-fails': () =>
    refuses('internal_error', (request) => isChat(request) && !isUtf8(request.body ?? Buffer.from(''))),
  'proto-field-fails': () => failsOnBody((body) => body.includes('__proto__')),
  'missing-content-type-fails': () =>
    refuses('internal_error', (request) => isChat(request) && request.contentType === undefined),
  'empty-content-fails': () => someMessage((message) => isFields(message) && message['content'] === ''),
  'system-message-later-fails': () =>
    someMessage((message, index) => isFields(message) && index > 0 && message['role'] === 'system'),
  'long-history-fails': () => failsOnChat((chat) => messagesOf(chat).length > 30),
  'emoji-fails': () => failsOnBody((body) => /\p{Extended_Pictographic}/u.test(body)),
  'missing-messages-fail': () => failsOnChat((chat) => !Object.hasOwn(chat, 'messages')),
  'null-message-fails': () => someMessage((message) => message === null),
  'role-of-no-text-fails': () =>
    someMessage((message) => isFields(message) && typeof message['role'] !== 'string'),
  'one-request-id-for-all': () => withItem([], 'request_id', () => 'req_0'),
  'one-request-id-for-key-errors': () => withItem(KEY, 'request_id', () => 'req_0'),
  'zero-request-id-for-parse-errors': () =>
    withItem(['invalid_json'], 'request_id', () => '00000000-0000-0000-0000-000000000000'),
  'request-id-by-the-second': () => withItem([], 'request_id', () => String(Math.floor(Date.now() / 1000))),
  'errors-with-200': () => misspellsErrors([], (answer) => ({ ...answer, status: 200 })),
  'key-errors-with-200': () => misspellsErrors(KEY, (answer) => ({ ...answer, status: 200 })),
};
