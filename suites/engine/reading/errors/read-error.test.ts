import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../model/target.ts';
import { answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { isCodeOrId, isMessage } from '../errors/read-error.ts';
import { valueAt, readJson } from '../json.ts';
import { readError } from './read-error.ts';

const answerWith = (body: object | string) => answerOf(answered({ status: 400, body }));
const reading = (body: object | string, pins: Profile['pins'] = {}) =>
  readError(answerWith(body), infoForTest({ profile: { pins } }));

const placeOf = (item: string | { pointer: string }) => (typeof item === 'string' ? item : item.pointer);

/** The pointers of code, message and request ID, or why each has none. */
function places(body: object | string, pins?: Profile['pins']) {
  const error = reading(body, pins);
  return error && [error.code, error.message, error.requestId].map(placeOf).join(' ');
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

const CM = { code: 'c', message: 'm' };
const TM = { type: 't', message: 'm' };

test.each<[object, string]>([
  [{ code: 7, message: 'm', requestId: 'r' }, '/code /message /requestId'],
  // The ID beside the error object, or deeper.
  [{ error: TM, request_id: 'r' }, '/error/type /error/message /request_id'],
  [{ type: 'error', error: TM, request_id: 'r' }, '/error/type /error/message /request_id'],
  [{ error: CM, meta: { requestId: 'r' } }, '/error/code /error/message /meta/requestId'],
  [
    { error: { code: 400, message: 'm', details: [{ '@type': 'info', requestId: 'r' }] } },
    '/error/code /error/message /error/details/0/requestId',
  ],
  // The ID of the request.
  [{ code: 'c', message: 'm', request: { id: 'r' } }, '/code /message /request/id'],
  [{ code: 'c', message: 'm', trace: { id: 't' } }, '/code /message /trace/id'],
  [{ error: CM, meta: { request: { id: 'r' } } }, '/error/code /error/message /meta/request/id'],
  [{ code: 'c', message: 'm', rid: 'eu-1', request: { id: 'r' } }, '/code /message /request/id'],
  [{ code: 'c', message: 'm', rid: 'eu-1', request_id: 'r' }, '/code /message /request_id'],
  [{ code: 'c', message: 'm', request: 'POST /v1/chat', id: 'r' }, '/code /message /id'],
  [{ code: 'c', message: 'm', uuid: 'u' }, '/code /message /uuid'],
  // Lists.
  [{ errors: [{ code: 'c', detail: 'd', id: 'i' }] }, '/errors/0/code /errors/0/detail /errors/0/id'],
  [[{ error: { status: 'S', message: 'm', reqId: 1 } }], '/0/error/status /0/error/message /0/error/reqId'],
  [{ ...CM, request_id: 'r', details: [{ code: 'x', message: 'y' }] }, '/code /message /request_id'],
  [{ code: 'c', message: ['m', 'n'], request_id: 'r' }, '/code /message /request_id'],
  [
    { errors: [{ message: 'm', extensions: { code: 'c', requestId: 'r' } }] },
    '/errors/0/extensions/code /errors/0/message /errors/0/extensions/requestId',
  ],
  // Other names.
  [{ error: 'c', error_description: 'm', trace_id: 't' }, '/error /error_description /trace_id'],
  [{ error: 'm', code: 'c', 'Request-ID': 'r' }, '/code /error /Request-ID'],
  [
    { detail: { error_code: 'c', msg: 'm', correlationId: 'r' } },
    '/detail/error_code /detail/msg /detail/correlationId',
  ],
  [{ type: 't', title: 'T', detail: 'd', status: 400, instance: '/i/1' }, '/type /detail /instance'],
  [
    { error: { ...TM, param: null, code: null, request_id: 'r' } },
    '/error/type /error/message /error/request_id',
  ],
  [
    { error: { code: 'c', details: { message: 'm', request_id: 'r' } } },
    '/error/code /error/details/message /error/details/request_id',
  ],
  // The object that says most.
  [{ error: { reason: 'r' }, code: 'c', message: 'm', request_id: 'r' }, '/code /message /request_id'],
  [{ error: { error: { ...CM, rid: 'r' } } }, '/error/error/code /error/error/message /error/error/rid'],
])('finds the items of %j at %s', (body, expected) => {
  expect(places(body)).toBe(expected);
});

test.each<[object, string]>([
  [{}, 'absent absent absent'],
  [{ message: 'm' }, 'absent /message absent'],
  [{ error: { code: 'c', message: 'm', param: '/model' } }, '/error/code /error/message absent'],
  [{ error: { message: 'm', request_id: 'r' } }, 'absent /error/message /error/request_id'],
  [{ message: 'm', meta: { requestId: 'r' } }, 'absent /message /meta/requestId'],
  [{ error: { code: 'c', request_id: 'r' } }, '/error/code absent /error/request_id'],
  [{ message: 'm', errors: ['a is missing'], statusCode: 400 }, '/statusCode /message absent'],
  // One member is one item, and none beside the error object is its code.
  [{ error: { reason: 'r', request_id: 'x' } }, 'absent /error/reason /error/request_id'],
  [{ error: { message: 'm', request_id: 'r' }, status: 400 }, 'absent /error/message /error/request_id'],
  // What else errors hold leaves nothing in doubt.
  [{ code: 'c', message: 'm', param: 'p', help: 'h', service: 's', retry_after: 1 }, '/code /message absent'],
  [{ code: 'c', message: 'm', vorgang: 'v' }, '/code /message unrecognised'],
  [{ code: 'c', message: 'm', request: 'r-17' }, '/code /message unrecognised'],
  // The usual name, whatever it holds.
  [{ error: { code: null, message: null, request_id: 'r' } }, '/error/code /error/message /error/request_id'],
  [{ code: 'c', message: 'm', request_id: null }, '/code /message /request_id'],
])('tells of %j what is absent, and what may be there: %s', (body, expected) => {
  expect(places(body)).toBe(expected);
});

test.each<[object, readonly string[]]>([
  [{ trace_id: 't', correlation_id: 's' }, ['/correlation_id']],
  [{ trace_id: 't', correlation_id: null }, []],
  [{ trace_id: 't', param: 'p' }, []],
  [{ trace_id: 't', meta: { event_id: 'e' } }, ['/meta/event_id']],
  [{ trace_id: 't', details: { event_id: 'e', ort: 'o', cid: null } }, ['/details/event_id']],
  [{ trace_id: 't', id: 'r' }, ['/id']],
  [{ id: 'invalid', vorgang: 'v-17' }, ['/vorgang']],
  [{ request_id: 'r', correlation_id: 's' }, []],
])('names what else may be the request ID in an error with %j: %j', (more, candidates) => {
  expect(reading({ error: { code: 'c', message: 'm', ...more } })?.otherCandidates).toEqual(
    candidates.map((pointer) => `/error${pointer}`),
  );
});

test.each<[object, readonly string[]]>([
  [{ code: 'c', message: 'm', vorgang: 'v' }, ['/vorgang']],
  [[{ error: { code: 'c', message: 'm', vorgang: 'v' } }], ['/0/error/vorgang']],
  [{ code: 'c', message: 'm', mehr: { vorgang: 'v', param: 'p' } }, ['/mehr/vorgang']],
])('lists each unknown member once in %j', (body, unknownMembers) => {
  expect(reading(body)?.unknownMembers).toEqual(unknownMembers);
});

test('returns undefined given no JSON, a text, an empty list and lists in lists', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const body of ['<html>', '"error"', '[]', deep]) expect(reading(body)).toBeUndefined();
});

test.each<[Record<string, string>, object, string]>([
  [
    { 'error.request_id': '/error/vorgang' },
    { code: 'c', message: 'm', vorgang: 'v', request_id: 'r' },
    '/error/code /error/message /error/vorgang',
  ],
  [
    { 'error.code': '/error/info/nummer', 'error.message': '/error/info/nachricht' },
    { info: { nummer: 'c', nachricht: 'm' }, request_id: 'r' },
    '/error/info/nummer /error/info/nachricht /error/request_id',
  ],
  [
    { 'error.code': '/error/nummer', 'error.message': '/error/text' },
    { code: 'c', message: 'm', text: '', request_id: 'r' },
    '/error/code /error/message /error/request_id',
  ],
])('reads where a profile pins, if something is there: %j', (pins, error, expected) => {
  expect(places({ error }, pins)).toBe(expected);
  expect(reading({ error }, pins)).toMatchObject({
    unknownMembers: expect.not.arrayContaining(expected.split(' ')),
  });
});

test('names no other candidates given a pinned request ID', () => {
  const error = { code: 'c', message: 'm', trace_id: 't', correlation_id: 's' };
  expect(reading({ error }, { 'error.request_id': '/error/trace_id' })?.otherCandidates).toEqual([]);
});

test('finds only what is there, given any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const answer = answerWith(JSON.stringify(value));
      const error = readError(answer, infoForTest());
      const root = readJson(answer);
      for (const item of [error?.code, error?.message, error?.requestId]) {
        if (typeof item !== 'object' || root.kind === 'no-json') continue;
        expect(valueAt(root.value, item.pointer)).toEqual(item.value);
      }
    }),
  );
});

test.each([
  ['m', true, true],
  [0, true, false],
  ['', false, false],
  [' ', false, false],
  [['m', 'n'], false, true],
  [[], false, false],
  [['', 'm'], false, false],
  [{ en: 'm' }, false, false],
  [null, false, false],
])('says whether %j can be a code or an ID: %s, and a message: %s', (value, isCode, isText) => {
  expect([isCodeOrId(value), isMessage(value)]).toEqual([isCode, isText]);
});
