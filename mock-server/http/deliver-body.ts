import type { Socket } from 'node:net';
import type { Delivery } from '../faults/fault.ts';
import { headerValueOf, type OutgoingAnswer } from '../faults/outgoing-answer.ts';
import type { Delays } from '../time/delays.ts';
import { cutConnection, drop, type HttpContext, keepSilent, whenItsTurn } from './http-context.ts';

/** Sends an answer in the way that a fault or a defect has it. */
export function deliverBody(
  context: HttpContext,
  delays: Delays,
  answer: OutgoingAnswer,
  delivery: Delivery,
): void {
  whenItsTurn(context, (socket) => {
    if (context.response.destroyed) return;
    if (delivery.parts === undefined) sendWhole(context, delays, answer, delivery.closesAfter);
    else
      sendParts(context, delays, { socket, answer, ...delivery, parts: delivery.parts(answer.body) }).catch(
        (error) => drop(context, error),
      );
  });
}

/** A caller that sends its next request meanwhile keeps its connection. */
function sendWhole(
  { response, connections, activity }: HttpContext,
  delays: Delays,
  { status, headers, body }: OutgoingAnswer,
  closesAfter?: number,
): void {
  // Without a length, the end of the connection is the end of the body.
  if (headerValueOf(headers, 'content-length') === undefined) response.useChunkedEncodingByDefault = false;
  response.writeHead(status, [...headers]);
  response.end(body, 'latin1');
  if (closesAfter === undefined) return;
  response.once('finish', () =>
    delays.after(closesAfter, () => connections.closeIdle(activity.message.socket)),
  );
}

interface Sending extends Pick<Delivery, 'pause' | 'end'> {
  readonly socket: Socket;
  readonly answer: OutgoingAnswer;
  readonly parts: Iterable<string>;
}

async function sendParts(
  context: HttpContext,
  delays: Delays,
  { socket, answer, parts, pause = 0, end }: Sending,
): Promise<void> {
  const { response } = context;
  response.writeHead(answer.status, [...answer.headers]);
  response.flushHeaders();
  let last: string | undefined;
  for (const part of parts) {
    if (last !== undefined) {
      await write(context, socket, last);
      await delays.turn(pause);
    }
    last = part;
  }
  // A caller that has the last part has the whole answer, and may go.
  if (end === undefined) return void (response.destroyed || response.end(last ?? '', 'latin1'));
  await write(context, socket, last ?? '');
  if (end === 'silence') keepSilent(context);
  else cutConnection(context, socket, end);
}

/** Resolves once the operating system has the bytes, so that a cut follows them; never, if the caller has gone. */
function write({ response, wrote }: HttpContext, socket: Socket, bytes: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const written = (error?: Error | null): void => {
    if (error !== undefined && error !== null) return;
    wrote();
    resolve();
  };
  // An empty part would be no part: the head, which has left before it, is waited for.
  if (bytes === '') socket.write('', written);
  else response.write(bytes, 'latin1', written);
  return promise;
}
