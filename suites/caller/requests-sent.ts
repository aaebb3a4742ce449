import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { MESSAGE_PARAMETERS, CONVENTION_PARAMETERS } from '../../fixtures/parameters/provider-parameters.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import { barePathOf, chatsAtService, endpointAsked, partsOf, pathOf } from './chats.ts';
import { violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { Chat, Timeline, TimelineRequest } from './timeline.ts';

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
  const { messages, ...fields } = chat.fields ?? {};
  const all = Array.isArray(messages) ? messages : [];
  const extras = [
    ...Object.keys(fields).filter((name) => !FIELDS.includes(name)),
    ...all.flatMap(parametersIn).map((name) => `${name} in a message`),
    ...all
      .flatMap(partsOf)
      .flatMap(parametersIn)
      .map((name) => `${name} in a part`),
    ...inQuery(chat).map((name) => `${name} in the query`),
  ];
  return [...new Set(extras)];
}

function judgeFields(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline).filter(({ fields }) => fields !== undefined);
  const wrong = chats.find((chat) => extrasOf(chat).length > 0);
  if (wrong === undefined)
    return chats.length === 0 ? notExercised('it sent no chat completion in JSON') : HOLDS;
  const expected = `only the fields ${FIELDS.join(', ')}`;
  return violatedBy(wrong, 'extra-field', expected, extrasOf(wrong).join(', '));
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
  if (asked.length === 0) return notExercised('it called no endpoint');
  const astray = asked.find(({ request, expected }) => barePathOf(request) !== expected);
  return astray === undefined
    ? HOLDS
    : violatedBy(astray.request, 'wrong-base', astray.expected, pathOf(astray.request));
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
  const asksForKey = method === 'OPTIONS' && asked.some((name) => name.trim() === 'authorization');
  return asksForKey && credential === 'none' && !isForwarded;
}

/** What a browser sends, and a server that passes on its headers. Node's fetch sends Sec-Fetch-Mode too. */
const BROWSER_SIGNS = ['origin', 'sec-fetch-site', 'sec-fetch-dest'];

/** How a request shows the key to others: a code, and a text. Another header to the service itself does not. */
function exposureIn(request: TimelineRequest): readonly [code: string, actual: string] | undefined {
  const isElsewhere = request.place === 'elsewhere';
  const where = request.keyIn.find((each) => isElsewhere || !each.startsWith('the header '));
  if (where !== undefined) return ['key-shown', `the key in ${where}`];
  if (isElsewhere && request.credential === 'foreign')
    return ['key-given-away', 'the key sent to another provider'];
  return isPreflightForKey(request)
    ? ['key-in-browser', 'the preflight request of a browser that is to send the key']
    : undefined;
}

const SERVER_SIDE = 'the key only in a header, from a server, to this service';

function judgeKey(timeline: Timeline): Ruling {
  for (const request of timeline.requests) {
    const exposure = exposureIn(request);
    if (exposure !== undefined) return violatedBy(request, exposure[0], SERVER_SIDE, exposure[1]);
  }
  const sign = BROWSER_SIGNS.find((name) =>
    timeline.requests.some(({ headers }) => headers[name] !== undefined),
  );
  if (sign === undefined)
    return notExercised('no request exposed the key; where else it is kept cannot be seen from outside');
  return inconclusive(
    `its requests have ${sign}: a browser sends it, and so does a server that passes it on`,
  );
}

export const keyOnServerSide: CallerCheck = {
  id: 'key-on-server-side',
  clauses: ['AUTH-3'],
  title: 'exposes its key in no address, body or browser, and to no other provider',
  judge: judgeKey,
};
