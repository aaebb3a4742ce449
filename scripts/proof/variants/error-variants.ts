import { randomUUID } from 'node:crypto';
import type { Choices } from '../second-service/choices.ts';
import { REFUSALS, type RefusalKind } from '../second-service/reply.ts';
import { variant, type Variants } from './variant.ts';

const statusFor =
  (status: number, ...kinds: readonly RefusalKind[]): Choices['status'] =>
  (kind) =>
    kinds.includes(kind) ? status : REFUSALS[kind];

/** Unavailability keeps its status: it is a failure of the service, not a refusal. */
const always =
  (status: number): Choices['status'] =>
  (kind) =>
    kind === 'unavailable' ? REFUSALS[kind] : status;

/** The error object: where its items stand, and what they are called. */
export const ERROR_SHAPES = {
  'errors-at-the-root': variant('puts code, message and request ID at the root of an error', {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({ code, message, request_id: requestId }),
  }),
  'errors-in-a-list': variant('returns an error as the only element of a list', {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({ errors: [{ code, message, requestId }] }),
  }),
  'errors-as-problem-details': variant(
    'returns problem details (RFC 9457) with a code and a trace ID, in their own media type',
    {
      untestable: ['VER-2'],
      errorType: 'application/problem+json',
      errorBody: ({ code, message, requestId, status, path }) => ({
        type: 'https://errors.example/refused',
        title: 'Refused',
        status,
        detail: message,
        instance: path,
        code,
        traceId: requestId,
      }),
    },
  ),
  'errors-name-the-address': variant('names the whole address that was asked for in every error', {
    errorBody: ({ code, message, requestId, address }) => ({
      error: { code, message, request_id: requestId, address },
    }),
  }),
  'errors-with-the-id-beside': variant(
    'puts the request ID in an envelope around the error, beside a success flag',
    {
      errorBody: ({ code, message, requestId }) => ({
        success: false,
        data: null,
        error: { code, message },
        request_id: requestId,
      }),
    },
  ),
  'errors-in-capitals': variant('returns a Fault whose member names are capitalised', {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      Fault: { Code: code, Message: message, RequestId: requestId },
    }),
  }),
  'errors-as-text': variant('puts the code in the string error, and a description beside it', {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      error: code,
      error_description: message,
      request_id: requestId,
    }),
  }),
  'errors-by-type': variant('puts the code in type, and null in code', {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      error: { type: code, code: null, message, param: null, request_id: requestId },
    }),
  }),
  'errors-with-extensions': variant('puts code and request ID into the extensions of the error', {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      errors: [{ message, path: ['chat'], extensions: { code, requestId } }],
    }),
  }),
  'errors-in-two-languages': variant('returns one message for each language', {
    errorBody: ({ code, message, requestId }) => ({
      error: { code, message: { en: message, de: 'Abgelehnt.' }, request_id: requestId },
    }),
  }),
  'errors-beside-a-region': variant(
    'puts the request ID into an object named request, beside the ID of a region',
    {
      errorBody: ({ code, message, requestId }) => ({
        error: { code, message, rid: 'north-1', request: { id: requestId } },
      }),
    },
  ),
  'errors-in-other-words': variant('uses unusual names for the three items of an error', {
    untestable: ['VER-2'],
    unreadable: ['ERR-1', 'ERR-2'],
    errorBody: ({ code, message, requestId }) => ({
      fehler: { kennung: code, meldung: message, vorgang: requestId },
    }),
  }),
} satisfies Variants;

/** What the items of an error say. */
export const ERROR_CODES = {
  'codes-are-numbers': variant('uses numbers as codes', {
    code: (kind) => 1000 + Object.keys(REFUSALS).indexOf(kind),
  }),
  'one-code-for-all': variant('uses one code for every refusal', { code: () => 'refused' }),
  'codes-are-addresses': variant('uses URLs of documentation as codes', {
    code: (kind) => `https://docs.example/errors#${kind}`,
  }),
} satisfies Variants;

export const REQUEST_IDS = {
  'request-ids-are-numbers': variant('uses a request counter as request ID', { requestId: (count) => count }),
  'request-ids-are-uuids': variant('uses UUIDs as request IDs', { requestId: () => randomUUID() }),
  'request-ids-are-long': variant('uses request IDs that name region, host and time', {
    requestId: (count) => `north/host-7/2026-11-20T12:00:00.000Z/${count}`,
  }),
} satisfies Variants;

export const STATUSES = {
  'every-refusal-is-400': variant('refuses everything with status 400', { status: always(400) }),
  'every-refusal-is-422': variant('refuses everything with status 422', { status: always(422) }),
  'no-key-is-403': variant('refuses a missing and an unknown key with status 403', {
    status: statusFor(403, 'no_credential', 'wrong_credential'),
  }),
  'no-scope-is-401': variant('refuses a key without the scope with status 401', {
    clause: 'AUTH-4',
    status: statusFor(401, 'no_scope'),
  }),
  'rate-limit-is-503': variant('answers too many requests at once with status 503 and Retry-After', {
    status: statusFor(503, 'rate_limit'),
  }),
  'strangers-get-404': variant('answers 404 to every caller without a key that may call', {
    status: statusFor(404, 'no_credential', 'wrong_credential', 'no_scope'),
  }),
} satisfies Variants;

const PAGE = '<!doctype html><title>Not here</title><h1>Not here</h1>';

/** Paths and methods that are not served. */
export const ELSEWHERE = {
  'elsewhere-a-page': variant('answers other paths and methods with an HTML page from its router', {
    elsewhere: (kind) => ({ status: REFUSALS[kind], type: 'text/html', body: PAGE }),
  }),
  'elsewhere-nothing': variant('answers other paths and methods with a status and no body', {
    elsewhere: (kind) => ({ status: REFUSALS[kind], body: '' }),
  }),
  'elsewhere-home': variant('answers every other path and method with an HTML page and status 200', {
    elsewhere: () => ({ status: 200, type: 'text/html', body: PAGE }),
  }),
  'elsewhere-501': variant('answers other paths and methods with status 501', {
    elsewhere: () => ({ status: 501, type: 'application/json', body: '{}' }),
  }),
} satisfies Variants;
