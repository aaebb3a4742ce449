import type { Socket } from 'node:net';

import type { Delays } from '../time/delays.ts';
import type { Wire } from '../http/wire.ts';
import { endOfEvents } from './end-of-events.ts';
import { whenItsTurn } from './its-turn.ts';
import { cutConnection, keepSilent } from './lose-answer.ts';
import type { DeliveryTrouble } from './trouble.ts';

/** An answer as it would go out: names and values of its headers in turn, a character of the body a byte. */
interface Outgoing {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Sends the head of an answer, and of its body what a trouble lets through, the way it lets it through. */
export function deliverBody(wire: Wire, delays: Delays, outgoing: Outgoing, trouble: DeliveryTrouble): void {
  whenItsTurn(wire.response, (socket) => {
    if (wire.response.destroyed) return;
    const { body } = outgoing;
    const cutAfter = (sent: string, fault: 'connection_closed' | 'connection_reset'): void =>
      sendPart(wire, socket, { ...outgoing, body: sent }, () => cutConnection(wire, socket, fault));
    switch (trouble.fault) {
      case 'connection_closed':
      case 'connection_reset':
        return cutAfter('', trouble.fault);
      case 'body_cut':
        return cutAfter(body.slice(0, trouble.bytes), 'connection_closed');
      case 'stream_cut':
        return cutAfter(body.slice(0, endOfEvents(body, trouble.events)), 'connection_closed');
      case 'wrong_content_length':
        return sendPart(wire, socket, misdeclared(outgoing, trouble.difference), () =>
          cutConnection(wire, socket, 'connection_closed'),
        );
      case 'stall':
        return sendPart(wire, socket, { ...outgoing, body: body.slice(0, trouble.bytes) }, () =>
          stall(wire, delays, body.slice(trouble.bytes), trouble.ms),
        );
      case 'pieces':
        return sendPart(wire, socket, { ...outgoing, body: '' }, () =>
          sendPieces(wire, delays, body, trouble),
        );
    }
  });
}

/** Runs once the part is in the hands of the operating system, so that a cut comes after it and not instead of it. */
function sendPart(
  { response }: Wire,
  socket: Socket,
  { status, headers, body }: Outgoing,
  sent: () => void,
): void {
  response.writeHead(status, [...headers]);
  if (body !== '') {
    response.write(body, 'latin1', sent);
    return;
  }
  response.flushHeaders();
  socket.write('', sent);
}

function stall(wire: Wire, delays: Delays, rest: string, ms: number | null): void {
  if (ms === null) keepSilent(wire);
  else delays.after(ms, () => wire.response.destroyed || wire.response.end(rest, 'latin1'));
}

function sendPieces(wire: Wire, delays: Delays, body: string, size: { bytes: number; ms: number }): void {
  const { response } = wire;
  if (response.destroyed) return;
  if (body === '') {
    response.end();
    return;
  }
  const { bytes, ms } = size;
  response.write(body.slice(0, bytes), 'latin1', () =>
    delays.after(ms, () => sendPieces(wire, delays, body.slice(bytes), size)),
  );
}

function misdeclared(outgoing: Outgoing, difference: number): Outgoing {
  const length = String(Math.max(0, outgoing.body.length + difference));
  const headers = outgoing.headers.map((text, index, all) =>
    index % 2 === 1 && all[index - 1] === 'content-length' ? length : text,
  );
  return { ...outgoing, headers };
}
