import { randomUUID } from 'node:crypto';
import type {
  ELSEWHERE,
  ERROR_CODES,
  ERROR_SHAPES,
  REQUEST_IDS,
  STATUSES,
} from './sentences/error-variants.ts';
import type { Choices } from '../second-service/choices.ts';
import { REFUSALS, type RefusalKind } from '../second-service/refusal.ts';

type ChoicesOf<T> = Readonly<Record<keyof T, Partial<Choices>>>;

const shape = (errorBody: Choices['errorBody']): Partial<Choices> => ({ errorBody });
const statusFor = (status: number, ...kinds: readonly RefusalKind[]): Partial<Choices> => ({
  status: (kind) => (kinds.includes(kind) ? status : REFUSALS[kind]),
});

/** Unavailability is no refusal of the request: it stays a failure of the service. */
const always = (status: number): Partial<Choices> => ({
  status: (kind) => (kind === 'unavailable' ? REFUSALS[kind] : status),
});

export const ERROR_SHAPE_CHOICES: ChoicesOf<typeof ERROR_SHAPES> = {
  'errors-at-the-root': shape(({ code, message, requestId }) => ({ code, message, request_id: requestId })),
  'errors-in-a-list': shape(({ code, message, requestId }) => ({ errors: [{ code, message, requestId }] })),
  'errors-as-problem-details': {
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
  'errors-with-the-id-beside': shape(({ code, message, requestId }) => ({
    success: false,
    data: null,
    error: { code, message },
    request_id: requestId,
  })),
  'errors-in-capitals': shape(({ code, message, requestId }) => ({
    Fault: { Code: code, Message: message, RequestId: requestId },
  })),
  'errors-as-text': shape(({ code, message, requestId }) => ({
    error: code,
    error_description: message,
    request_id: requestId,
  })),
  'errors-by-type': shape(({ code, message, requestId }) => ({
    error: { type: code, code: null, message, param: null, request_id: requestId },
  })),
  'errors-with-extensions': shape(({ code, message, requestId }) => ({
    errors: [{ message, path: ['chat'], extensions: { code, requestId } }],
  })),
  'errors-in-two-languages': shape(({ code, message, requestId }) => ({
    error: { code, message: { en: message, de: 'Abgelehnt.' }, request_id: requestId },
  })),
  'errors-beside-a-region': shape(({ code, message, requestId }) => ({
    error: { code, message, rid: 'north-1', request: { id: requestId } },
  })),
  'errors-in-other-words': shape(({ code, message, requestId }) => ({
    fehler: { kennung: code, meldung: message, vorgang: requestId },
  })),
};

export const ERROR_CODE_CHOICES: ChoicesOf<typeof ERROR_CODES> = {
  'codes-are-numbers': { code: (kind) => 1000 + Object.keys(REFUSALS).indexOf(kind) },
  'one-code-for-all': { code: () => 'refused' },
  'codes-are-addresses': { code: (kind) => `https://docs.example/errors#${kind}` },
};

export const REQUEST_ID_CHOICES: ChoicesOf<typeof REQUEST_IDS> = {
  'request-ids-are-numbers': { requestId: (count) => count },
  'request-ids-are-uuids': { requestId: () => randomUUID() },
  'request-ids-are-long': { requestId: (count) => `north/host-7/2026-11-20T12:00:00.000Z/${count}` },
};

export const STATUS_CHOICES: ChoicesOf<typeof STATUSES> = {
  'every-refusal-is-400': always(400),
  'every-refusal-is-422': always(422),
  'no-key-is-403': statusFor(403, 'no_credential', 'wrong_credential'),
  'no-scope-is-401': statusFor(401, 'no_scope'),
  'strangers-get-404': statusFor(404, 'no_credential', 'wrong_credential', 'no_scope'),
};

const PAGE = '<!doctype html><title>Not here</title><h1>Not here</h1>';

export const ELSEWHERE_CHOICES: ChoicesOf<typeof ELSEWHERE> = {
  'elsewhere-a-page': { elsewhere: (kind) => ({ status: REFUSALS[kind], type: 'text/html', body: PAGE }) },
  'elsewhere-nothing': { elsewhere: (kind) => ({ status: REFUSALS[kind], body: '' }) },
  'elsewhere-home': { elsewhere: () => ({ status: 200, type: 'text/html', body: PAGE }) },
  'elsewhere-501': { elsewhere: () => ({ status: 501, type: 'application/json', body: '{}' }) },
};
