import type { Socket } from 'node:net';
import type { EventByEvent } from '../exchange/defect-hooks.ts';
import type { DeliveryFault } from '../faults/fault.ts';
import type { Delays } from '../time/delays.ts';
import { cutConnection, type HttpContext, keepSilent, whenItsTurn } from './http-context.ts';
import { endOfEvents, splitsCharacter, headerValueOf, type OutgoingAnswer } from './rewrite-answer.ts';

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
        return cutAfter(body);
      case 'stall':
      case 'pieces':
      case 'split_characters':
      case 'bandwidth':
      case 'events':
        return deliverSlowly(context, socket, delays, outgoing, fault);
      case 'duplicate_event':
      case 'malformed_event':
      case 'error_event':
        return sendWhole(context, outgoing);
      case 'wrong_header':
        // What the head says of its length is not that of the body.
        if (fault.header === 'content-length' && fault.how !== 'missing') return cutAfter(body);
        return sendWhole(context, outgoing);
      case 'idle_closed':
        return closeOnceIdle(context, delays, outgoing, fault);
    }
  });
}

type SlowFault = Extract<
  DeliveryFault | EventByEvent,
  { readonly fault: 'stall' | 'pieces' | 'split_characters' | 'bandwidth' | 'events' }
>;

/** Sends the head with the body that may leave at once, then the rest as time allows. */
function deliverSlowly(
  context: HttpContext,
  socket: Socket,
  delays: Delays,
  outgoing: OutgoingAnswer,
  fault: SlowFault,
): void {
  const { body } = outgoing;
  const begun = fault.fault === 'stall' ? body.slice(0, fault.bytes) : '';
  sendPart(context, socket, { ...outgoing, body: begun }, () => {
    switch (fault.fault) {
      case 'stall':
        return stall(context, delays, body.slice(fault.bytes), fault.ms);
      case 'pieces':
        return sendPieces(context, delays, body, () => fault.bytes, fault.ms);
      case 'split_characters':
        return sendPieces(context, delays, body, splitsCharacter(body), fault.ms);
      case 'bandwidth':
        return sendAtRate(context, delays, body, fault.bytes_per_second);
      case 'events':
        return sendPieces(context, delays, body, (rest) => endOfEvents(rest, 1) || rest.length, fault.ms);
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

function sendWhole({ response }: HttpContext, { status, headers, body }: OutgoingAnswer): void {
  // Without a length, the end of the connection is the end of the body.
  if (headerValueOf(headers, 'content-length') === undefined) response.useChunkedEncodingByDefault = false;
  response.writeHead(status, [...headers]);
  response.end(body, 'latin1');
}

/** A caller that sends its next request meanwhile keeps its connection. */
function closeOnceIdle(
  context: HttpContext,
  delays: Delays,
  outgoing: OutgoingAnswer,
  { ms, how }: DeliveryFault & { readonly fault: 'idle_closed' },
): void {
  const { response, connections, activity } = context;
  if (how === 'silently')
    response.once('finish', () => delays.after(ms, () => connections.closeIdle(activity.message.socket)));
  sendWhole(context, outgoing);
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
  const bytes = sizeOf(body);
  // A caller that has the last piece has the whole answer, and may go.
  if (bytes >= body.length) {
    response.end(body, 'latin1');
    return;
  }
  response.write(body.slice(0, bytes), 'latin1', () => {
    wrote();
    delays.afterOthers(ms, () => sendPieces(context, delays, body.slice(bytes), sizeOf, ms));
  });
}

/** How often in a second a part is sent at a rate. */
const PARTS_A_SECOND = 50;

function sendAtRate(context: HttpContext, delays: Delays, body: string, rate: number): void {
  const bytes = Math.max(1, Math.round(rate / PARTS_A_SECOND));
  sendPieces(context, delays, body, () => bytes, Math.round((bytes * 1000) / rate));
}
