import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { valueAt, readJson } from '../json.ts';
import { readError } from './read-error.ts';

const info = infoForTest();
const answerWith = (body: object | string) => answerOf(answered({ status: 400, body }));
const reading = (body: object | string) => readError(answerWith(body), info);

const placeOf = (item: string | { pointer: string }) => (typeof item === 'string' ? item : item.pointer);

/** The pointers of code, message and request ID, or why each has none. */
function places(body: object | string) {
  const error = reading(body);
  return error && [error.code, error.message, error.requestId].map(placeOf);
}

test('returns the three items given an error object under error', () => {
  expect(reading({ error: { code: 'c', message: 'm', request_id: 'r' } })).toEqual({
    pointer: '/error',
    code: { pointer: '/error/code', value: 'c' },
    message: { pointer: '/error/message', value: 'm' },
    requestId: { pointer: '/error/request_id', value: 'r' },
    otherCandidates: [],
    unknownMembers: [],
  });
});

test.each([
  ['at the root', { code: 7, message: 'm', requestId: 'r' }, ['/code', '/message', '/requestId']],
  [
    'with the ID beside it',
    { error: { type: 't', message: 'm' }, request_id: 'r' },
    ['/error/type', '/error/message', '/request_id'],
  ],
  [
    'whose type says error too',
    { type: 'error', error: { type: 't', message: 'm' }, request_id: 'r' },
    ['/error/type', '/error/message', '/request_id'],
  ],
  [
    'in a list',
    { errors: [{ code: 'c', detail: 'd', id: 'i' }] },
    ['/errors/0/code', '/errors/0/detail', '/errors/0/id'],
  ],
  [
    'as two texts',
    { error: 'c', error_description: 'm', trace_id: 't' },
    ['/error', '/error_description', '/trace_id'],
  ],
  ['as text and code', { error: 'm', code: 'c', 'Request-ID': 'r' }, ['/code', '/error', '/Request-ID']],
  [
    'under detail',
    { detail: { error_code: 'c', msg: 'm', correlationId: 'r' } },
    ['/detail/error_code', '/detail/msg', '/detail/correlationId'],
  ],
  [
    'as a problem',
    { type: 't', title: 'T', detail: 'd', status: 400, instance: '/i/1' },
    ['/type', '/detail', '/instance'],
  ],
  [
    'with the ID deeper',
    { error: { code: 'c', message: 'm' }, meta: { requestId: 'r' } },
    ['/error/code', '/error/message', '/meta/requestId'],
  ],
  [
    'with the ID of the request',
    { code: 'c', message: 'm', request: { id: 'r' } },
    ['/code', '/message', '/request/id'],
  ],
  [
    'whose code is null and type is not',
    { error: { message: 'm', type: 't', param: null, code: null, request_id: 'r' } },
    ['/error/type', '/error/message', '/error/request_id'],
  ],
  [
    'with a list of details',
    { code: 'c', message: 'm', request_id: 'r', details: [{ code: 'x', message: 'y' }] },
    ['/code', '/message', '/request_id'],
  ],
  [
    'with the ID of the request deeper',
    { error: { code: 'c', message: 'm' }, meta: { request: { id: 'r' } } },
    ['/error/code', '/error/message', '/meta/request/id'],
  ],
  [
    'with the ID in a list of details',
    { error: { code: 400, message: 'm', details: [{ '@type': 'info', requestId: 'r' }] } },
    ['/error/code', '/error/message', '/error/details/0/requestId'],
  ],
  [
    'with code and ID in its extensions',
    { errors: [{ message: 'm', extensions: { code: 'c', requestId: 'r' } }] },
    ['/errors/0/extensions/code', '/errors/0/message', '/errors/0/extensions/requestId'],
  ],
  [
    'with its message in the details',
    { error: { code: 'c', details: { message: 'm', request_id: 'r' } } },
    ['/error/code', '/error/details/message', '/error/details/request_id'],
  ],
  [
    'with a list of messages',
    { code: 'c', message: ['m', 'n'], request_id: 'r' },
    ['/code', '/message', '/request_id'],
  ],
  [
    'in a list at the root',
    [{ error: { status: 'S', message: 'm', reqId: 1 } }],
    ['/0/error/status', '/0/error/message', '/0/error/reqId'],
  ],
])('finds the three items given an error %s', (_, body, expected) => {
  expect(places(body)).toEqual(expected);
});

test.each([
  [
    'no request ID',
    { error: { code: 'c', message: 'm', param: '/model' } },
    ['/error/code', '/error/message', 'absent'],
  ],
  [
    'no code',
    { error: { message: 'm', request_id: 'r' } },
    ['absent', '/error/message', '/error/request_id'],
  ],
  [
    'no code and an ID that lies deeper',
    { message: 'm', meta: { requestId: 'r' } },
    ['absent', '/message', '/meta/requestId'],
  ],
  ['no message', { error: { code: 'c', request_id: 'r' } }, ['/error/code', 'absent', '/error/request_id']],
  ['nothing', {}, ['absent', 'absent', 'absent']],
  ['a message alone', { message: 'm' }, ['absent', '/message', 'absent']],
])('says absent given an error with %s', (_, body, expected) => {
  expect(places(body)).toEqual(expected);
});

test('returns unrecognised given an unknown member and no request ID under a known name', () => {
  const body = { error: { code: 'c', message: 'm', vorgang: 'v-17' } };
  expect(places(body)).toEqual(['/error/code', '/error/message', 'unrecognised']);
  expect(reading(body)?.unknownMembers).toEqual(['/error/vorgang']);
});

test('returns unrecognised given an ambiguous name beside an unknown one', () => {
  const body = { error: { code: 'c', message: 'm', id: 'invalid', vorgang: 'v-17' } };
  expect(places(body)).toEqual(['/error/code', '/error/message', 'unrecognised']);
});

test('does not take the method and path of a request for its ID', () => {
  const body = { code: 'c', message: 'm', request: 'POST /v1/chat/completions', id: 'r' };
  expect(places(body)).toEqual(['/code', '/message', 'unrecognised']);
});

test('prefers an object with both items to one with a single item under a name of both', () => {
  const body = { error: { reason: 'r' }, code: 'c', message: 'm', request_id: 'r' };
  expect(places(body)).toEqual(['/code', '/message', '/request_id']);
  expect(places({ error: { fehler: 'x' }, message: 'm' })?.[1]).toBe('/message');
});

test('looks for an error object three levels deep', () => {
  expect(reading({ error: { error: { code: 'c', message: 'm' } } })?.pointer).toBe('/error/error');
  expect(reading({ error: { error: { error: { code: 'c', message: 'm' } } } })?.pointer).toBe('/error/error');
});

test.each([
  [{ trace: { id: 't' } }, '/trace/id'],
  [{ request: 'r-17' }, '/request'],
  [{ request: 'a/17' }, '/request'],
  [{ uuid: 'u' }, '/uuid'],
  [{ request: '/v1/chat' }, 'unrecognised'],
  [{ request: 'https://x' }, 'unrecognised'],
  [{ request: 'a 17' }, 'unrecognised'],
])('reads the request ID of a code, a message and %j at %s', (more, expected) => {
  expect(places({ code: 'c', message: 'm', ...more })?.[2]).toBe(expected);
});

test.each([
  [{ trace_id: 't', correlation_id: 's' }, ['/correlation_id']],
  [{ trace_id: 't', correlation_id: null }, []],
  [{ trace_id: 't', param: 'p' }, []],
  [{ trace_id: 't', meta: { event_id: 'e' } }, ['/meta/event_id']],
  [{ trace_id: 't', details: { event_id: 'e', ort: 'o', cid: null } }, ['/details/event_id']],
  [{ request_id: 'r', correlation_id: 's' }, []],
])('names the otherCandidates of the request ID in an error with %j: %j', (more, otherCandidates) => {
  expect(reading({ error: { code: 'c', message: 'm', ...more } })?.otherCandidates).toEqual(
    otherCandidates.map((pointer) => `/error${pointer}`),
  );
});

test('names the otherCandidates given a request ID under a name that may mean something else', () => {
  const otherCandidates = [
    { code: 'c', message: 'm', trace_id: 't', id: 'r' },
    { code: 'c', message: 'm', trace_id: 't' },
    { code: 'c', message: 'm', request_id: 't', id: 'r' },
  ].map((body) => reading(body)?.otherCandidates);
  expect(otherCandidates).toEqual([['/id'], [], []]);
});

test('returns the named member as it is given a request ID that is empty', () => {
  expect(reading({ code: 'c', message: 'm', request_id: null })?.requestId).toEqual({
    pointer: '/request_id',
    value: null,
  });
});

test('reads the pinned places given unknown names', () => {
  const pins = { 'error.request_id': '/error/vorgang' };
  const answer = answerWith({ error: { code: 'c', message: 'm', vorgang: 'v-17', request_id: 'r' } });
  const error = readError(answer, infoForTest({ profile: { pins } }));
  expect(error?.requestId).toEqual({ pointer: '/error/vorgang', value: 'v-17' });
});

test('returns where the item really is given a pinned place that is empty', () => {
  const pins = { 'error.code': '/error/nummer' };
  const answer = answerWith({ error: { code: 'c', message: 'm', request_id: 'r' } });
  expect(readError(answer, infoForTest({ profile: { pins } }))?.code).toEqual({
    pointer: '/error/code',
    value: 'c',
  });
});

test('returns undefined given no JSON, a text and an empty list', () => {
  expect(['<html>', '"error"', '[]'].map(reading)).toEqual([undefined, undefined, undefined]);
});

/** What is read of an error with a code and a message where the profile pins items. */
function pinnedTo(pins: Record<string, string>, error: object) {
  return readError(answerWith({ error }), infoForTest({ profile: { pins } }));
}

test('reads code and message at their pinned places, and does not list them as unknown', () => {
  const error = { info: { nummer: 'c', nachricht: 'm' }, request_id: 'r' };
  const pins = { 'error.code': '/error/info/nummer', 'error.message': '/error/info/nachricht' };
  expect(pinnedTo(pins, error)).toMatchObject({
    code: { pointer: '/error/info/nummer' },
    message: { pointer: '/error/info/nachricht' },
    unknownMembers: [],
  });
});

test('looks elsewhere given a pinned place that holds no such item', () => {
  const error = { code: 'c', message: 'm', text: '', request_id: 'r' };
  expect(pinnedTo({ 'error.message': '/error/text' }, error)?.message).toMatchObject({
    pointer: '/error/message',
  });
});

test('names no otherCandidates given a pinned request ID', () => {
  const error = { code: 'c', message: 'm', trace_id: 't', correlation_id: 's' };
  expect(pinnedTo({ 'error.request_id': '/error/trace_id' }, error)?.otherCandidates).toEqual([]);
});

test('takes one member for one item', () => {
  expect(places({ error: { reason: 'r', request_id: 'x' } })).toEqual([
    'absent',
    '/error/reason',
    '/error/request_id',
  ]);
});

test('takes no member beside the error object for its code', () => {
  expect(places({ error: { message: 'm', request_id: 'r' }, status: 400 })?.[0]).toBe('absent');
});

test('returns the members that bear the very names given values that cannot be code and message', () => {
  expect(places({ error: { code: null, message: null, request_id: 'r' } })).toEqual([
    '/error/code',
    '/error/message',
    '/error/request_id',
  ]);
});

test.each<[object, readonly string[]]>([
  [{ code: 'c', message: 'm', vorgang: 'v' }, ['/vorgang']],
  [[{ error: { code: 'c', message: 'm', vorgang: 'v' } }], ['/0/error/vorgang']],
  [{ code: 'c', message: 'm', mehr: { vorgang: 'v', param: 'p' } }, ['/mehr/vorgang']],
])('lists each unknown member once in %j', (body, unknownMembers) => {
  expect(reading(body)?.unknownMembers).toEqual(unknownMembers);
});

test.each(['incident_id', 'activity-id', 'rayId', 'rid', 'transactionID', 'errorid'])(
  'knows %s for the name of a request ID',
  (name) => {
    expect(places({ code: 'c', message: 'm', [name]: 'x' })?.[2]).toBe(`/${name}`);
  },
);

test('prefers the ID of the request to names that may mean something else, and not to its own name', () => {
  const beside = { code: 'c', message: 'm', rid: 'eu-1', request: { id: 'r' } };
  expect(reading(beside)).toMatchObject({ requestId: { value: 'r' }, otherCandidates: ['/rid'] });
  expect(places({ ...beside, request_id: 'r' })?.[2]).toBe('/request_id');
});

test('knows what else errors hold, which leaves nothing in doubt', () => {
  const others = {
    param: 'p',
    help: 'h',
    href: 'x',
    service: 's',
    retry_after: 1,
    allowed: 'a',
    target: 't',
  };
  expect(places({ code: 'c', message: 'm', ...others })?.[2]).toBe('absent');
});

test('finds only what is there, given any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const answer = answerWith(JSON.stringify(value));
      const error = readError(answer, info);
      const root = readJson(answer);
      for (const item of [error?.code, error?.message, error?.requestId]) {
        if (typeof item !== 'object' || root.kind === 'no-json') continue;
        expect(valueAt(root.value, item.pointer)).toEqual(item.value);
      }
    }),
  );
});
