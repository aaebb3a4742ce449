import type { ENDPOINT_DEFECTS } from './endpoint-defects.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { ErrorKind } from '../protocol/error-table.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { isChat } from './misreads.ts';
import { isStream, misspells, misspellsErrors, withText } from './misspells.ts';
import { misstreamsChunks } from './misstreams.ts';
import { perService } from './per-service.ts';
import { refuses } from './refuses.ts';

const LONGEST_KEY = 32;

function isVision({ method, url }: ReceivedRequest): boolean {
  return method === 'GET' && url === `/v1${ENDPOINTS.vision}`;
}

const refusesVision = (kind: ErrorKind): DefectHooks => refuses(kind, isVision);

/** Says this in place of what has vision. */
function answersVision(body: string): DefectHooks {
  return misspells(
    (answer, request) => isVision(request) && answer.status === 200,
    (answer) => ({ ...answer, body }),
  );
}

function refusesEqualBodies(): DefectHooks {
  const payloads = perService(() => new Set<string>());
  return {
    onRequest: (exchange, serve, service) => {
      const { request, identity } = exchange;
      const seen = payloads(service);
      const payload = `${request.authorization} ${identity.bodyDigest}`;
      if (isChat(request) && seen.has(payload)) throw new ServiceError('idempotency_repeated');
      serve(exchange);
      // What was refused may be sent again.
      if (isChat(request)) seen.add(payload);
    },
  };
}

export const ENDPOINT_BREACHES: Breaches<typeof ENDPOINT_DEFECTS> = {
  'vision-not-there': () => refusesVision('not_found'),
  'vision-wants-a-post': () => refusesVision('method_not_allowed'),
  'vision-wants-a-model': () => refusesVision('missing_field'),
  'vision-fails': () => refusesVision('internal_error'),
  'vision-says-nothing': () => answersVision(''),
  'vision-says-null': () => answersVision('null'),
  'chat-served-without-version': () => refuses('not_found', isChat),
  'idempotency-key-too-long': () =>
    refuses(
      'invalid_idempotency_key',
      (request) => isChat(request) && (request.idempotencyKey ?? '').length > LONGEST_KEY,
    ),
  'equal-payload-is-a-repeat': refusesEqualBodies,
  'json-typed-plain': () =>
    misspells(
      (answer) => !isStream(answer),
      (answer) => withText(answer, 'text/plain; charset=utf-8', answer.body),
    ),
  'errors-typed-html': () => misspellsErrors([], (answer) => withText(answer, 'text/html', answer.body)),
  'chunks-deny-errors': () => misstreamsChunks((chunk) => ({ ...chunk, error: { code: 0 } })),
};
