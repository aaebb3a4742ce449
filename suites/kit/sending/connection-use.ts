import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Hears which connection carries its request, and for how many milliseconds that was idle; undefined: it is new. */
export type OnLeaving = (socket: Socket, idleMs: number | undefined) => void;

/** When the last answer on a connection ended. */
const lastUses = new WeakMap<Socket, number>();

/** The request that undici begins; it writes the head within the same turn, and only there names the connection. */
let beginning: OnLeaving | undefined;

subscribe('undici:client:sendHeaders', (message) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici documents this message
  const { socket } = message as { readonly socket: Socket };
  const lastUse = lastUses.get(socket);
  beginning?.(socket, lastUse === undefined ? undefined : performance.now() - lastUse);
  beginning = undefined;
});

/** Call it when a request begins. */
export function watchConnection(onLeaving: OnLeaving): void {
  beginning = onLeaving;
}

/** Call it when an answer has ended. */
export function noteUse(socket: Socket | undefined): void {
  if (socket !== undefined) lastUses.set(socket, performance.now());
}
