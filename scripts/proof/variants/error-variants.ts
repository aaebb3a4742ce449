import { randomUUID } from 'node:crypto';
import type { Choices } from '../second-service/choices.ts';
import { REFUSALS, type RefusalKind } from '../second-service/refusal.ts';
import type { Variants } from './variants.ts';

const statusFor =
  (status: number, ...kinds: readonly RefusalKind[]): Choices['status'] =>
  (kind) =>
    kinds.includes(kind) ? status : REFUSALS[kind];

/** Unavailability keeps its status: it is a failure of the service, not a refusal. */
const always =
  (status: number): Choices['status'] =>
  (kind) =>
    kind === 'unavailable' ? REFUSALS[kind] : status;

const OWN_STATUSES: Readonly<Partial<Record<RefusalKind, number>>> = {
  token_limit: 413,
  key_missing: 428,
  no_credential: 403,
  wrong_credential: 403,
  no_credits: 409,
  no_scope: 401,
  no_such_path: 410,
  no_such_model: 400,
  wrong_method: 404,
  too_many_bytes: 400,
  wrong_type: 406,
  rate_limit: 420,
  unavailable: 529,
};

const PAGE = '<!doctype html><title>Not here</title><h1>Not here</h1>';

export const ERROR_VARIANTS: Variants = {
  // Where the items of an error stand, and what they are called
  'errors-at-the-root': {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({ code, message, request_id: requestId }),
  },
  'errors-in-a-list': {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({ errors: [{ code, message, requestId }] }),
  },
  'errors-as-problem-details': {
    untestable: ['VER-2'],
    errorType: 'application/problem+json',
    errorBody: ({ code, message, requestId, status, address }) => ({
      type: 'https://errors.example/refused',
      title: 'Refused',
      status,
      detail: message,
      instance: address,
      code,
      traceId: requestId,
    }),
  },
  'errors-name-the-address': {
    errorBody: ({ code, message, requestId, address }) => ({
      error: { code, message, request_id: requestId, address },
    }),
  },
  'errors-with-the-id-beside': {
    errorBody: ({ code, message, requestId }) => ({
      success: false,
      data: null,
      error: { code, message },
      request_id: requestId,
    }),
  },
  'errors-in-capitals': {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      Fault: { Code: code, Message: message, RequestId: requestId },
    }),
  },
  'errors-as-text': {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      error: code,
      error_description: message,
      request_id: requestId,
    }),
  },
  'errors-by-type': {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      error: { type: code, code: null, message, param: null, request_id: requestId },
    }),
  },
  'errors-with-extensions': {
    untestable: ['VER-2'],
    errorBody: ({ code, message, requestId }) => ({
      errors: [{ message, path: ['chat'], extensions: { code, requestId } }],
    }),
  },
  'errors-in-two-languages': {
    errorBody: ({ code, message, requestId }) => ({
      error: { code, message: { en: message, de: 'Abgelehnt.' }, request_id: requestId },
    }),
  },
  'errors-beside-a-region': {
    errorBody: ({ code, message, requestId }) => ({
      error: { code, message, rid: 'north-1', request: { id: requestId } },
    }),
  },
  'errors-in-other-words': {
    untestable: ['VER-2'],
    unreadable: ['ERR-1', 'ERR-2'],
    errorBody: ({ code, message, requestId }) => ({
      fehler: { kennung: code, meldung: message, vorgang: requestId },
    }),
  },

  // What the items say
  'codes-are-numbers': { code: (kind) => 1000 + Object.keys(REFUSALS).indexOf(kind) },
  'one-code-for-all': { code: () => 'refused' },
  'codes-are-addresses': {
    code: (kind) => `https://docs.example/errors#${kind}`,
  },
  'request-ids-are-numbers': { requestId: (count) => count },
  'request-ids-are-uuids': { requestId: () => randomUUID() },
  'request-ids-are-long': {
    requestId: (count) => `north/host-7/2026-11-20T12:00:00.000Z/${count}`,
  },

  // Statuses and Retry-After
  'every-refusal-is-400': { status: always(400) },
  'every-refusal-is-422': { status: always(422) },
  'no-key-is-403': { status: statusFor(403, 'no_credential', 'wrong_credential') },
  'no-scope-is-401': { status: statusFor(401, 'no_scope') },
  'rate-limit-is-503': { status: statusFor(503, 'rate_limit') },
  'statuses-of-its-own': {
    status: (kind) => OWN_STATUSES[kind] ?? 422,
    errorType: 'application/vnd.birds.refusal+json',
  },
  'retry-after-is-a-date': { retryAfter: () => new Date(Date.now() + 1500).toUTCString() },
  'strangers-get-404': { status: statusFor(404, 'no_credential', 'wrong_credential', 'no_scope') },

  // Other paths and methods
  'elsewhere-a-page': { elsewhere: (status) => ({ status, type: 'text/html', body: PAGE }) },
  'elsewhere-nothing': { elsewhere: (status) => ({ status, body: '' }) },
  'elsewhere-home': { elsewhere: () => ({ status: 200, type: 'text/html', body: PAGE }) },
  'elsewhere-501': { elsewhere: () => ({ status: 501, type: 'application/json', body: '{}' }) },
};
