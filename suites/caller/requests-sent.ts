import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { CONVENTION_PARAMETERS } from '../../fixtures/parameters/provider-parameters.ts';
import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { chatOf, chatsAtService, endpointAsked, pathOf } from './chats.ts';
import { violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { Timeline, TimelineRequest } from './timeline.ts';

const FIELDS = ['model', 'messages', 'temperature', 'max_tokens', 'stream'];

/** Parameters by the names that other providers give them; anything else in a query is not a parameter. */
function inQuery({ path }: TimelineRequest): readonly string[] {
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  const names = [...new URLSearchParams(query).keys()];
  return names.filter((name) => /^api[-_]version$/.test(name) || Object.hasOwn(CONVENTION_PARAMETERS, name));
}

function judgeFields(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline).filter((request) => chatOf(request) !== undefined);
  for (const request of chats) {
    const fields = Object.keys(chatOf(request) ?? {}).filter((name) => !FIELDS.includes(name));
    const extra = [...fields, ...inQuery(request).map((name) => `${name} in the query`)];
    if (extra.length > 0)
      return violatedBy(timeline, request, 'extra-field', `only ${FIELDS.join(', ')}`, extra.join(', '));
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
  // A trailing slash says nothing about how the path begins.
  const astray = asked.find(({ request, expected }) => pathOf(request).replace(/\/+$/, '') !== expected);
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

/** What only a browser sends. Node's fetch sends Sec-Fetch-Mode too, so that is no sign. */
function browserSign({ method, headers }: TimelineRequest): string | undefined {
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined)
    return 'the preflight request of a browser';
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
  const sign = browserSign(request);
  if (sign === undefined) return undefined;
  return violatedBy(timeline, request, 'key-in-browser', SERVER_SIDE, `a request from a browser (${sign})`);
}

function judgeKey(timeline: Timeline): Ruling {
  for (const request of timeline.requests) {
    const ruling = judgeExposure(timeline, request);
    if (ruling !== undefined) return ruling;
  }
  return notExercised('no request exposed the key; where else it is kept cannot be seen from outside');
}

export const keyOnServerSide: CallerCheck = {
  id: 'key-on-server-side',
  clauses: ['AUTH-3'],
  title: 'exposes its key in no address, body or browser, and to no other provider',
  judge: judgeKey,
};
