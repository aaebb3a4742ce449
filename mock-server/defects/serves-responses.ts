import { jsonAnswer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';

const PATH = '/v1/responses';

/** Answers such requests to the Responses API as if it had one. */
export function servesResponses(when: (request: ReceivedRequest) => boolean): DefectHooks {
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
