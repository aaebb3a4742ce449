import type { Socket } from 'node:net';

import { sendBody } from '../http/send-body.ts';
import type { Service } from '../service.ts';
import type { Wire } from '../http/wire.ts';
import { gatewayPage } from './gateway-page.ts';
import { whenItsTurn } from './its-turn.ts';
import type { Loss } from './trouble.ts';

/** Lets a request meet its trouble instead of an answer. */
export function loseAnswer(service: Service, wire: Wire, loss: Loss): void {
  if (service.logAnswers) service.log(`${wire.requestId} ${wire.request.method} ${loss.fault}`);
  switch (loss.fault) {
    case 'gateway_failure':
      return sendGatewayPage(service, wire, loss);
    case 'timeout':
      return keepSilent(wire);
    case 'connection_closed':
    case 'connection_reset':
      return whenItsTurn(wire.response, (socket) => cutConnection(wire, socket, loss.fault));
  }
}

/** Nothing more is sent on the connection, and nobody waits for it when the mock closes. */
export function keepSilent({ connections, activity, response, ended }: Wire): void {
  ended(response.headersSent ? 'cut' : 'silent');
  connections.silence(activity);
}

/** Ends a connection with FIN after what was written, or with RST at once. */
export function cutConnection({ ended }: Pick<Wire, 'ended'>, socket: Socket, fault: Loss['fault']): void {
  ended('cut');
  if (fault === 'connection_reset') socket.resetAndDestroy();
  else socket.destroySoon();
}

function sendGatewayPage(service: Service, wire: Wire, loss: Loss & { fault: 'gateway_failure' }): void {
  const { response, request, connections, record } = wire;
  const { contentType, body } = gatewayPage(loss.status, loss.body);
  const headers = ['date', service.dateHeader(), 'server', 'gateway'];
  if (contentType !== null) headers.push('content-type', contentType);
  headers.push('content-length', String(body.length));
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  response.writeHead(loss.status, headers);
  record?.replied(loss.status, body);
  sendBody(response, body, isUnread);
}
