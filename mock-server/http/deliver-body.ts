import type { Socket } from 'node:net';
import type { Delivery } from '../faults/fault.ts';
import type { Line, OutgoingAnswer } from '../faults/line.ts';
import { headerValueOf } from '../faults/outgoing-answer.ts';
import type { Delays } from '../time/delays.ts';
import { cutConnection, drop, type HttpContext, keepSilent, whenItsTurn } from './http-context.ts';

/** Sends an answer in the way that a fault or a defect has it. */
export function deliverBody(
  context: HttpContext,
  delays: Delays,
  answer: OutgoingAnswer,
  { send = (line) => line.whole(answer) }: Delivery,
): void {
  whenItsTurn(context, (socket) => {
    if (context.response.destroyed) return;
    send(lineOn(context, socket, delays), answer).catch((error) => drop(context, error));
  });
}

/** The connection of a request, once its answer may leave. */
function lineOn(context: HttpContext, socket: Socket, delays: Delays): Line {
  const { response, connections, activity, wrote } = context;
  const write = (bytes: string): Promise<void> =>
    afterwards((done) => {
      if (response.destroyed) return;
      // An empty part would be no part: what has left before is waited for.
      if (bytes === '') socket.write('', done);
      else response.write(bytes, 'latin1', done);
    }, wrote);
  return {
    write,
    begin: ({ status, headers }, bytes = '') => {
      response.writeHead(status, [...headers]);
      if (bytes === '') response.flushHeaders();
      return write(bytes);
    },
    end: (bytes) => void (response.destroyed || response.end(bytes, 'latin1')),
    whole: ({ status, headers, body }) =>
      afterwards((done) => {
        // Without a length, the end of the connection is the end of the body.
        if (headerValueOf(headers, 'content-length') === undefined)
          response.useChunkedEncodingByDefault = false;
        response.writeHead(status, [...headers]);
        response.end(body, 'latin1', done);
      }),
    pause: (ms) => delays.turn(ms),
    cut: (how) => cutConnection(context, socket, how),
    silence: () => keepSilent(context),
    closeIdle: () => connections.closeIdle(activity.message.socket),
  };
}

/** Resolves once a step is done; never, if it fails: then its caller has gone. */
function afterwards(
  step: (done: (error?: Error | null) => void) => void,
  then: () => void = () => {},
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  step((error) => {
    if (error !== undefined && error !== null) return;
    then();
    resolve();
  });
  return promise;
}
