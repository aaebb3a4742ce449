import type { ErrorKind } from '../protocol/error-table.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { chatOf, isChat } from './misreads.ts';
import type { Fields } from './fields.ts';

/** Refuses with this error what it ought to serve, or fails with it. */
export function refuses(kind: ErrorKind, when: (request: ReceivedRequest) => boolean): DefectHooks {
  return {
    onRequest: (exchange, serve) => {
      if (when(exchange.request)) throw new ServiceError(kind);
      serve(exchange);
    },
  };
}

/** Refuses such chats. */
export function refusesChats(
  when: (chat: Fields) => boolean,
  kind: ErrorKind = 'invalid_value',
): DefectHooks {
  return refuses(kind, (request) => {
    const chat = chatOf(request);
    return chat !== undefined && when(chat);
  });
}

/** Fails where the bytes of a request for a completion are such. */
export function failsOnBody(when: (body: string) => boolean): DefectHooks {
  return refuses('internal_error', (request) => isChat(request) && when(bodyText(request)));
}

/** Hangs up in place of any answer where the bytes of a request for a completion are such. */
export function hangsUpOnBody(when: (body: string) => boolean): DefectHooks {
  return {
    onRequest: (exchange, serve) => {
      const { request } = exchange;
      if (isChat(request) && when(bodyText(request)))
        exchange.lose({ fault: 'connection_closed', outcome: 'fails' });
      else serve(exchange);
    },
  };
}

function bodyText({ body }: ReceivedRequest): string {
  return body?.toString() ?? '';
}
