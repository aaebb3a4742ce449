import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Runs once the answers to all requests before on the same connection have left; never, when that never is. */
export function whenItsTurn(response: ServerResponse, run: (socket: Socket) => void): void {
  if (response.socket === null) response.once('socket', run);
  else run(response.socket);
}
