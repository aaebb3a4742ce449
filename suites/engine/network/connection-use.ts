import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Hears which connection carries its request, and for how many milliseconds that was idle; undefined: it is new. */
export type OnLeaving = (socket: Socket, idleMs: number | undefined) => void;

/** When the last answer on a connection ended. */
const lastUses = new WeakMap<Socket, number>();

/** The first error of a connection. undici tells the last: that it was closed, and not the alert of TLS before. */
const firstErrors = new WeakMap<Socket, Error>();

/** The request that undici begins; it writes the head within the same turn, and only there names the connection. */
let beginning: OnLeaving | undefined;

subscribe('undici:client:connected', (message) => {
  const socket = socketIn(message);
  socket.once('error', (error) => void firstErrors.set(socket, error));
});

subscribe('undici:client:sendHeaders', (message) => {
  const socket = socketIn(message);
  const lastUse = lastUses.get(socket);
  beginning?.(socket, lastUse === undefined ? undefined : performance.now() - lastUse);
  beginning = undefined;
});

function socketIn(message: unknown): Socket {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici documents these messages
  return (message as { readonly socket: Socket }).socket;
}

/** Call it when a request begins. */
export function watchConnection(onLeaving: OnLeaving): void {
  beginning = onLeaving;
}

/** Call it when an answer has ended. */
export function noteUse(socket: Socket | undefined): void {
  if (socket !== undefined) lastUses.set(socket, performance.now());
}

/** What ended a connection, as far as is known. */
export function firstErrorOf(socket: Socket | undefined): Error | undefined {
  return socket && firstErrors.get(socket);
}
