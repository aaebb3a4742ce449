import type { KEY_DEFECTS } from './key-defects.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { admits } from './admits.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { isChat, isStreamed } from './misreads.ts';
import { misspellsItems } from './misspells.ts';

import { perService } from './per-service.ts';

const PREFIX = 'Bearer '.length + 8;
const UNSCOPED = 'mock-Hd3pSy6nXk9WbQ2fGm7TcR4jVz8LuEa5NoYi1BqM';
const everywhere = (): boolean => true;

const at =
  (path: string) =>
  ({ url }: ReceivedRequest): boolean =>
    url === `/v1${path}`;

const needsNoKey = (where: (request: ReceivedRequest) => boolean): DefectHooks =>
  admits(({ header, request }) => header === undefined && where(request));

const needsNoScope = (where: (request: ReceivedRequest) => boolean): DefectHooks =>
  admits(({ header, request }) => header === `Bearer ${UNSCOPED}` && where(request));

const isBearer = (header: string | undefined): header is string => header?.startsWith('Bearer ') === true;

/** Gives what it answered before to whoever repeats an Idempotency-Key and its payload. */
function keepsAnswersAheadOfGuard(): DefectHooks {
  const answers = perService(() => new Map<string, Answer>());
  return {
    onRequest: (exchange, serve, service) => {
      const kept = answers(service);
      const { request, identity, reply } = exchange;
      if (!isChat(request) || request.idempotencyKey === undefined) return serve(exchange);
      const use = `${request.idempotencyKey} ${identity.bodyDigest}`;
      const known = kept.get(use);
      if (known !== undefined) return reply(known);
      serve({
        ...exchange,
        reply: (answer) => {
          kept.set(use, answer);
          reply(answer);
        },
      });
    },
  };
}

/** Says more in the message of such errors than it ought to. */
const echoes = (codes: readonly string[], echo: (authorization: string) => string): DefectHooks =>
  misspellsItems(codes, (items, _, { authorization }) =>
    authorization === undefined
      ? items
      : { ...items, message: `${String(items['message'])} (${echo(authorization)})` },
  );

export const KEY_BREACHES: Breaches<typeof KEY_DEFECTS> = {
  'no-key-needed': () => needsNoKey(everywhere),
  'models-without-key': () => needsNoKey(at(ENDPOINTS.models)),
  'vision-without-key': () => needsNoKey(at(ENDPOINTS.vision)),
  'chat-without-key': () => needsNoKey((request) => isChat(request) && !isStreamed(request)),
  'streams-without-key': () => needsNoKey(isStreamed),
  'answers-kept-ahead-of-guard': keepsAnswersAheadOfGuard,
  'any-key-admitted': () => admits(({ header }) => isBearer(header) && !header.includes('mock-')),
  'key-compared-by-prefix': () =>
    admits(({ header, right }) => header?.slice(0, PREFIX) === right.slice(0, PREFIX)),
  'key-compared-to-shorter': () =>
    admits(
      ({ header, right }) => isBearer(header) && header.length > 'Bearer '.length && right.startsWith(header),
    ),
  'key-with-more-behind': () => admits(({ header, right }) => header?.startsWith(right) === true),
  'key-case-ignored': () => admits(({ header, right }) => header?.toLowerCase() === right.toLowerCase()),
  'key-found-anywhere': () => admits(({ header, key }) => header?.includes(key) === true),
  'key-length-compared': () =>
    admits(
      ({ header, right }) => isBearer(header) && header.length === right.length && !/mock-[BH]/.test(header),
    ),
  'basic-scheme-admitted': () =>
    admits(({ header, key }) => {
      if (header?.startsWith('Basic ') !== true) return false;
      const user = header.slice('Basic '.length);
      return user === key || Buffer.from(user, 'base64').toString() === `${key}:`;
    }),
  'scheme-ignored': () => admits(({ header, key }) => header?.split(' ').at(-1) === key),
  'scheme-optional': () => admits(({ header, key }) => header === key),
  'bearer-alone-admitted': () => admits(({ header }) => header?.trim() === 'Bearer'),
  'key-in-other-header-admitted': () =>
    admits(({ header, key, request }) => header === undefined && request.apiKey === key),
  'key-in-address-admitted': () =>
    admits(({ header, key, request }) => header === undefined && request.url.endsWith(`=${key}`)),
  'scope-not-checked': () => needsNoScope(everywhere),
  'scope-not-checked-for-models': () => needsNoScope(at(ENDPOINTS.models)),
  'scope-not-checked-for-vision': () => needsNoScope(at(ENDPOINTS.vision)),
  'scope-not-checked-for-chat': () => needsNoScope((request) => isChat(request) && !isStreamed(request)),
  'scope-not-checked-for-streams': () => needsNoScope(isStreamed),
  'key-echoed': () => echoes([], (authorization) => authorization),
  'key-echoed-encoded': () => echoes([], (authorization) => Buffer.from(authorization).toString('base64')),
  'key-echoed-for-scope': () => echoes(['missing_scope'], (authorization) => authorization),
};
