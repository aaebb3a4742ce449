import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';

/** What a keyhole sees of a request: its header, the right key, and the request it came with. */
interface Seen {
  readonly header: string | undefined;
  /** The header as it ought to be, for the first key of the world. */
  readonly right: string;
  readonly key: string;
  readonly request: ReceivedRequest;
}

/** Lets in whom it ought to keep out, as if they had borne the first key of the world. */
export function admits(when: (seen: Seen) => boolean): DefectHooks {
  return {
    onRequest: (exchange, serve, { world }) => {
      const { request } = exchange;
      const key = world.keys[0]?.key ?? '';
      const right = `Bearer ${key}`;
      const isIn = when({ header: request.authorization, right, key, request });
      serve(isIn ? { ...exchange, request: { ...request, authorization: right } } : exchange);
    },
  };
}
