import { type JsonValue, ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { MESSAGE_PARAMETERS, CONVENTION_PARAMETERS } from '../../fixtures/parameters/provider-parameters.ts';
import { HOLDS, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import { messagesOf, partsOf, pathOf } from './chats.ts';
import { violatedBy } from './evidence.ts';
import { type CallerCheck, judgingEach, NOTHING_SENT } from './judge-caller.ts';
import type { Chat, TimelineRequest } from './timeline.ts';

const FIELDS = ['model', 'messages', 'temperature', 'max_tokens', 'stream'];

/** Parameters by the names that other providers give them; anything else in a query is not a parameter. */
function inQuery({ path }: Chat): readonly string[] {
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  const names = [...new URLSearchParams(query).keys()];
  return names.filter((name) => /^api[-_]version$/.test(name) || Object.hasOwn(CONVENTION_PARAMETERS, name));
}

/** The names of provider parameters in a message or part: what else a message may have is an open point (MSG-6). */
function parametersIn(value: JsonValue): readonly string[] {
  return isJsonObject(value) ? Object.keys(value).filter((name) => MESSAGE_PARAMETERS.has(name)) : [];
}

/** What a chat has beyond the five fields. */
function extrasOf(chat: Chat): readonly string[] {
  const messages = messagesOf(chat.fields);
  const parts = messages.flatMap(partsOf);
  const extras = [
    ...Object.keys(chat.fields ?? {}).filter((name) => !FIELDS.includes(name)),
    ...messages.flatMap(parametersIn).map((name) => `${name} in a message`),
    ...parts.flatMap(parametersIn).map((name) => `${name} in a part`),
    ...inQuery(chat).map((name) => `${name} in the query`),
  ];
  return [...new Set(extras)];
}

export const fiveFieldsOnly: CallerCheck = {
  id: 'five-fields-only',
  clauses: ['CALL-4'],
  title: 'sends only the five fields of the specification, and no parameter of another provider',
  judge: judgingEach(
    ({ atService }) => atService.filter(({ fields }) => fields !== undefined),
    'it sent no chat completion in JSON',
    (chat) => {
      const extras = extrasOf(chat).join(', ');
      return extras === ''
        ? HOLDS
        : violatedBy(chat, 'extra-field', `only the fields ${FIELDS.join(', ')}`, extras);
    },
  ),
};

export const versionInBaseAddress: CallerCheck = {
  id: 'version-in-base-address',
  clauses: ['CALL-7'],
  title: 'uses a base address that ends in the version segment',
  judge: judgingEach(
    ({ requests }) => requests.filter(({ place, endpoint }) => place === 'service' && endpoint !== undefined),
    'it called no endpoint',
    (request) => {
      const [path, expected] = [pathOf(request), `/v1${ENDPOINTS[request.endpoint ?? 'chat']}`];
      return path === expected ? HOLDS : violatedBy(request, 'wrong-base', expected, path);
    },
  ),
};

/** What a server adds to a request that it passes on. */
const FORWARDED = /^(?:forwarded|via|x-forwarded-(?:for|host|proto)|x-real-ip)$/;

/**
 * A browser asks first whether a page of another site may send Authorization. Only a server that passes on such a
 * request sends Authorization with it.
 */
function isPreflightForKey({ method, headers, credential }: TimelineRequest): boolean {
  const { 'access-control-request-headers': asked = '' } = headers;
  const asksForKey = method === 'OPTIONS' && /(?:^|,)\s*authorization\s*(?:,|$)/i.test(asked);
  return asksForKey && credential === 'none' && !Object.keys(headers).some((name) => FORWARDED.test(name));
}

const EXPECTED_KEY = 'the key only in a header, from a server, to this service';
const UNEXPOSED = notExercised(
  'no request exposed the key; where else it is kept cannot be seen from outside',
);

/** Another header with the key, to the service itself, shows it to nobody else. */
function judgeExposure(request: TimelineRequest): Ruling {
  const isElsewhere = request.place === 'elsewhere';
  const where = request.keyIn.find((each) => isElsewhere || !each.startsWith('the header '));
  if (where !== undefined) return violatedBy(request, 'key-shown', EXPECTED_KEY, `the key in ${where}`);
  if (isElsewhere && request.credential === "the service's")
    return violatedBy(request, 'key-given-away', EXPECTED_KEY, 'the key sent to another provider');
  if (!isPreflightForKey(request)) return UNEXPOSED;
  return violatedBy(request, 'key-in-browser', EXPECTED_KEY, 'a browser asks whether it may send it');
}

export const keyOnServerSide: CallerCheck = {
  id: 'key-on-server-side',
  clauses: ['AUTH-3'],
  title: 'exposes its key in no address, body or browser, and to no other provider',
  judge: judgingEach(({ requests }) => requests, NOTHING_SENT, judgeExposure),
};
