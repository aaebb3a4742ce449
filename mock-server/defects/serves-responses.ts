import { jsonAnswer } from '../http/answer.ts';
import type { Received } from '../http/received.ts';
import type { DefectHooks } from '../http/defect-hooks.ts';

const PATH = '/v1/responses';

/** Answers such requests to the Responses API as if it had one. */
export function servesResponses(when: (request: Received) => boolean): DefectHooks {
  return {
    onRequest: (exchange, serve) => {
      const { request, identity } = exchange;
      if (request.url.startsWith(PATH) && when(request)) {
        const response = { id: 'resp_0', object: 'response', status: 'completed', output: [] };
        exchange.reply(jsonAnswer(identity.requestId, JSON.stringify(response)));
      } else serve(exchange);
    },
  };
}
