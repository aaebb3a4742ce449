import { jsonAnswer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import type { Exchange } from './exchange.ts';
import { listModels } from './list-models.ts';
import { route } from './route.ts';
import type { Service } from './service.ts';
import { transact } from './transaction.ts';
import { toUtf8 } from './utf8.ts';
import { visionCapabilities } from './vision-capabilities.ts';

/** Path and method first, then the key, then what the endpoint does. Throws or refuses with a ServiceError. */
export function answerRequest(service: Service, exchange: Exchange): void {
  const { request, identity } = exchange;
  const { choices } = service.world;
  const endpoint = route(request.method, request.url);
  service.strike?.('before-authentication', request);
  const caller = authenticate(service.callers, request.authorization);
  switch (endpoint) {
    case 'chat':
      return transact(service, caller, exchange);
    case 'models':
      return exchange.reply(jsonAnswer(identity.requestId, toUtf8(listModels(caller, choices.models))));
    case 'vision':
      return exchange.reply(
        jsonAnswer(identity.requestId, toUtf8(visionCapabilities(caller, choices.vision))),
      );
  }
}
