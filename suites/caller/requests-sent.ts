import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { MESSAGE_PARAMETERS, CONVENTION_PARAMETERS } from '../../fixtures/parameters/provider-parameters.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { isJsonObject } from '../kit/reading/json.ts';
import type { CallerCheck } from './judge-caller.ts';
import { barePathOf, chatOf, chatsAtService, endpointAsked, pathOf } from './observed/chats.ts';
import { violatedBy } from './observed/evidence.ts';
import type { Timeline, TimelineRequest } from './observed/timeline.ts';

const FIELDS = ['model', 'messages', 'temperature', 'max_tokens', 'stream'];

/** Parameters by the names that other providers give them; anything else in a query is not a parameter. */
function inQuery({ path }: TimelineRequest): readonly string[] {
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  const names = [...new URLSearchParams(query).keys()];
  return names.filter((name) => /^api[-_]version$/.test(name) || Object.hasOwn(CONVENTION_PARAMETERS, name));
}

/** The names of provider parameters in a message or part: what else a message may have is an open point (MSG-6). */
function parametersIn(value: JsonValue): readonly string[] {
  return isJsonObject(value) ? Object.keys(value).filter((name) => MESSAGE_PARAMETERS.has(name)) : [];
}

function inMessages(request: TimelineRequest): readonly string[] {
  const messages = chatOf(request)?.['messages'];
  if (!Array.isArray(messages)) return [];
  const names = messages.flatMap((message) => {
    const content = isJsonObject(message) ? message['content'] : undefined;
    return [
      ...parametersIn(message).map((name) => `${name} in a message`),
      ...(Array.isArray(content) ? content.flatMap(parametersIn) : []).map((name) => `${name} in a part`),
    ];
  });
  return [...new Set(names)];
}

function judgeFields(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline).filter((request) => chatOf(request) !== undefined);
  for (const request of chats) {
    const fields = Object.keys(chatOf(request) ?? {}).filter((name) => !FIELDS.includes(name));
    const extra = [
      ...fields,
      ...inMessages(request),
      ...inQuery(request).map((name) => `${name} in the query`),
    ];
    if (extra.length > 0)
      return violatedBy(
        timeline,
        request,
        'extra-field',
        `only the fields ${FIELDS.join(', ')}`,
        extra.join(', '),
      );
  }
  return chats.length === 0 ? notExercised('it sent no chat completion in JSON') : HOLDS;
}

export const fiveFieldsOnly: CallerCheck = {
  id: 'five-fields-only',
  clauses: ['CALL-4'],
  title: 'sends only the five fields of the specification, and no parameter of another provider',
  judge: judgeFields,
};

function judgePaths(timeline: Timeline): Ruling {
  const asked = timeline.requests.flatMap((request) => {
    const endpoint = endpointAsked(request);
    return endpoint === undefined || request.place === 'elsewhere'
      ? []
      : [{ request, expected: `/v1${ENDPOINTS[endpoint]}` }];
  });
  const astray = asked.find(({ request, expected }) => barePathOf(request) !== expected);
  if (astray !== undefined) {
    const { request, expected } = astray;
    return violatedBy(timeline, request, 'wrong-base', expected, pathOf(request));
  }
  return asked.length === 0 ? notExercised('it called no endpoint') : HOLDS;
}

export const versionInBaseAddress: CallerCheck = {
  id: 'version-in-base-address',
  clauses: ['CALL-7'],
  title: 'uses a base address that ends in the version segment',
  judge: judgePaths,
};

/** What a server adds to a request that it passes on. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * A browser asks first whether a page of another site may send Authorization. Only a server that passes on such a
 * request sends Authorization with it.
 */
function isPreflightForKey({ method, headers, credential }: TimelineRequest): boolean {
  const asked = (headers['access-control-request-headers'] ?? '').toLowerCase().split(',');
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return (
    method === 'OPTIONS' &&
    asked.some((name) => name.trim() === 'authorization') &&
    credential === 'none' &&
    !isForwarded
  );
}

/** What a browser sends, and a server that passes on its headers. Node's fetch sends Sec-Fetch-Mode too. */
function browserSign({ headers }: TimelineRequest): string | undefined {
  return ['origin', 'sec-fetch-site', 'sec-fetch-dest'].find((name) => headers[name] !== undefined);
}

/** Where a request exposes the key. Another header to the service itself does not expose it. */
function exposedIn({ place, keyIn }: TimelineRequest): string | undefined {
  return keyIn.find((where) => place === 'elsewhere' || !where.startsWith('the header '));
}

const SERVER_SIDE = 'the key only in a header, from a server, to this service';

function judgeExposure(timeline: Timeline, request: TimelineRequest): Ruling | undefined {
  const where = exposedIn(request);
  if (where !== undefined)
    return violatedBy(timeline, request, 'key-shown', SERVER_SIDE, `the key in ${where}`);
  if (request.place === 'elsewhere' && request.credential === 'foreign')
    return violatedBy(timeline, request, 'key-given-away', SERVER_SIDE, 'the key sent to another provider');
  if (!isPreflightForKey(request)) return undefined;
  const preflight = 'the preflight request of a browser that is to send the key';
  return violatedBy(timeline, request, 'key-in-browser', SERVER_SIDE, preflight);
}

function judgeKey(timeline: Timeline): Ruling {
  for (const request of timeline.requests) {
    const ruling = judgeExposure(timeline, request);
    if (ruling !== undefined) return ruling;
  }
  const sign = timeline.requests.map(browserSign).find((name) => name !== undefined);
  if (sign !== undefined)
    return inconclusive(
      `its requests have ${sign}: a browser sends it, and so does a server that passes it on`,
    );
  return notExercised('no request exposed the key; where else it is kept cannot be seen from outside');
}

export const keyOnServerSide: CallerCheck = {
  id: 'key-on-server-side',
  clauses: ['AUTH-3'],
  title: 'exposes its key in no address, body or browser, and to no other provider',
  judge: judgeKey,
};
