import type { Socket } from 'node:net';
import type { EventByEvent } from '../exchange/defect-hooks.ts';
import type { DeliveryFault } from '../faults/fault.ts';
import type { Delays } from '../time/delays.ts';
import { cutConnection, type HttpContext, keepSilent, whenItsTurn } from './http-context.ts';

/** An answer as it would be sent. */
interface OutgoingAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte. */
  readonly body: string;
}

/** Sends the head of an answer, and its body in the way that the fault allows. */
export function deliverBody(
  context: HttpContext,
  delays: Delays,
  outgoing: OutgoingAnswer,
  fault: DeliveryFault | EventByEvent,
): void {
  whenItsTurn(context, (socket) => {
    if (context.response.destroyed) return;
    const { body } = outgoing;
    const cutAfter = (sent: string, how: 'fin' | 'rst' = 'fin'): void =>
      sendPart(context, socket, { ...outgoing, body: sent }, () => cutConnection(context, socket, how));
    switch (fault.fault) {
      case 'connection_closed':
        return cutAfter('');
      case 'connection_reset':
        return cutAfter('', 'rst');
      case 'body_cut':
        return cutAfter(body.slice(0, fault.bytes));
      case 'stream_cut':
        return cutAfter(body.slice(0, endOfEvents(body, fault.events)));
      case 'wrong_content_length':
        return sendPart(context, socket, misdeclared(outgoing, fault.difference), () =>
          cutConnection(context, socket, 'fin'),
        );
      case 'stall':
        return sendPart(context, socket, { ...outgoing, body: body.slice(0, fault.bytes) }, () =>
          stall(context, delays, body.slice(fault.bytes), fault.ms),
        );
      case 'pieces':
        return sendPart(context, socket, { ...outgoing, body: '' }, () =>
          sendPieces(context, delays, body, () => fault.bytes, fault.ms),
        );
      case 'events':
        return sendPart(context, socket, { ...outgoing, body: '' }, () =>
          sendPieces(context, delays, body, (rest) => endOfEvents(rest, 1) || rest.length, fault.ms),
        );
    }
  });
}

/** Calls `sent` once the operating system has the part, so that a cut follows it and does not replace it. */
function sendPart(
  { response, wrote }: HttpContext,
  socket: Socket,
  { status, headers, body }: OutgoingAnswer,
  next: () => void,
): void {
  const sent = (): void => {
    wrote();
    next();
  };
  response.writeHead(status, [...headers]);
  if (body !== '') {
    response.write(body, 'latin1', sent);
    return;
  }
  response.flushHeaders();
  socket.write('', sent);
}

function stall(context: HttpContext, delays: Delays, rest: string, ms: number | null): void {
  if (ms === null) keepSilent(context);
  else delays.after(ms, () => context.response.destroyed || context.response.end(rest, 'latin1'));
}

function sendPieces(
  context: HttpContext,
  delays: Delays,
  body: string,
  sizeOf: (rest: string) => number,
  ms: number,
): void {
  const { response, wrote } = context;
  if (response.destroyed) return;
  if (body === '') {
    response.end();
    return;
  }
  const bytes = sizeOf(body);
  response.write(body.slice(0, bytes), 'latin1', () => {
    wrote();
    delays.after(ms, () => sendPieces(context, delays, body.slice(bytes), sizeOf, ms));
  });
}

function misdeclared(outgoing: OutgoingAnswer, difference: number): OutgoingAnswer {
  const length = String(Math.max(0, outgoing.body.length + difference));
  const headers = outgoing.headers.map((text, index, all) =>
    index % 2 === 1 && all[index - 1] === 'content-length' ? length : text,
  );
  return { ...outgoing, headers };
}

/** Where the first so many events of an event stream end, with their blank lines. Comments do not count as events. */
export function endOfEvents(stream: string, events: number): number {
  const blocks = stream.matchAll(/(?<block>[^]*?)(?:\r\n\r\n|\n\n)/g);
  let end = 0;
  let seen = 0;
  for (const { 0: whole, groups } of blocks) {
    if (seen === events) return end;
    end += whole.length;
    if (groups?.['block']?.startsWith(':') !== true) seen += 1;
  }
  return end;
}
