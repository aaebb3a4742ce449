import { randomUUID } from 'node:crypto';
import { type Choices, REFUSALS, type RefusalKind } from '../second-service/convention.ts';
import { UNREAD_BY_CLIENT, type Variants, variantsOf } from './variant.ts';

const statusFor =
  (status: number, ...kinds: readonly RefusalKind[]): Choices['status'] =>
  (kind) =>
    kinds.includes(kind) ? status : REFUSALS[kind];

/** Unavailability keeps its status: it is a failure of the service, not a refusal. */
const always =
  (status: number): Choices['status'] =>
  (kind) =>
    kind === 'unavailable' ? REFUSALS[kind] : status;

/** Of the others, no client knows the status. */
const OWN_STATUSES: Readonly<Partial<Record<RefusalKind, number>>> = {
  no_credential: 403,
  wrong_credential: 403,
  no_scope: 401,
  unavailable: 529,
};

const PAGE = '<!doctype html><title>Not here</title><h1>Not here</h1>';

export const ERROR_VARIANTS: Variants = {
  // Where the items of an error stand, and what they are called
  'errors-in-a-list': {
    ...UNREAD_BY_CLIENT,
    errorBody: ({ code, message, id }) => ({ errors: [{ code, message, requestId: id }] }),
  },
  'errors-as-problem-details': {
    ...UNREAD_BY_CLIENT,
    errorType: 'application/problem+json',
    errorBody: ({ code, message, id, status, address }) => ({
      type: 'https://errors.example/refused',
      title: 'Refused',
      status,
      detail: message,
      instance: address,
      code,
      traceId: id,
    }),
  },
  ...variantsOf('errorBody', {
    'errors-name-the-address': ({ code, message, id, address }) => ({
      error: { code, message, request_id: id, address },
    }),
    'errors-with-the-id-beside': ({ code, message, id }) => ({
      success: false,
      data: null,
      error: { code, message },
      request_id: id,
    }),
    'errors-in-two-languages': ({ code, message, id }) => ({
      error: { code, message: { en: message, de: 'Abgelehnt.' }, request_id: id },
    }),
  }),
  'errors-in-other-words': {
    ...UNREAD_BY_CLIENT,
    unreadable: ['ERR-1', 'ERR-2'],
    errorBody: ({ code, message, id }) => ({
      fehler: { kennung: code, meldung: message, vorgang: id },
    }),
  },

  // What the items say
  ...variantsOf('code', {
    'codes-are-numbers': (kind) => 1000 + Object.keys(REFUSALS).indexOf(kind),
    'one-code-for-all': () => 'refused',
    'codes-are-addresses': (kind) => `https://docs.example/errors#${kind}`,
  }),
  ...variantsOf('requestId', {
    'request-ids-are-numbers': (count) => count,
    'request-ids-are-uuids': () => randomUUID(),
    'request-ids-are-long': (count) => `north/host-7/2026-11-20T12:00:00.000Z/${count}`,
  }),

  // Statuses and Retry-After
  ...variantsOf('status', {
    'every-refusal-is-400': always(400),
    'every-refusal-is-422': always(422),
    'rate-limit-is-503': statusFor(503, 'throttled'),
    'strangers-get-404': statusFor(404, 'no_credential', 'wrong_credential', 'no_scope'),
  }),
  'statuses-of-its-own': {
    status: (kind) => OWN_STATUSES[kind] ?? 440 + Object.keys(REFUSALS).indexOf(kind),
    errorType: 'application/vnd.birds.refusal+json',
  },
  'retry-after-is-a-date': { retryAfter: () => new Date(Date.now() + 1500).toUTCString() },

  // Other paths and methods
  ...variantsOf('elsewhere', {
    'elsewhere-a-page': (status) => ({ status, type: 'text/html', body: PAGE }),
    'elsewhere-nothing': (status) => ({ status, body: '' }),
    'elsewhere-home': () => ({ status: 200, type: 'text/html', body: PAGE }),
    'elsewhere-501': () => ({ status: 501, type: 'application/json', body: '{}' }),
  }),
};
