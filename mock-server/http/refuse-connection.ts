import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { identify } from '../exchange/identity.ts';
import type { Arrival } from '../journal/journal.ts';
import type { ErrorKind } from '../protocol/error-table.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import { errorAnswer } from './error-answer.ts';
import { answerHeaders } from './send-answer.ts';

const EMPTY = Buffer.alloc(0);

const KINDS: Readonly<Record<string, ErrorKind>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Node's error for bytes that it could not read as a request. */
interface WireError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers unreadable bytes with an error object (ERR-11), and closes the connection. */
export function refuseBytes(service: Service, error: WireError, socket: Duplex): void {
  const kind = KINDS[error.code ?? ''] ?? 'malformed_http';
  const received = { method: 'BYTES', url: '', rawHeaders: [], body: error.rawPacket ?? EMPTY };
  refuseConnection(service, new ServiceError(kind), received, socket);
}

/** The same for CONNECT, of which Node gives only the socket. */
export function refuseTunnel(service: Service, message: IncomingMessage, socket: Duplex): void {
  const { method = '', url = '', rawHeaders } = message;
  refuseConnection(service, new ServiceError('not_found'), { method, url, rawHeaders, body: EMPTY }, socket);
}

type Received = Pick<Arrival, 'method' | 'url' | 'rawHeaders'> & { readonly body: Buffer };

function refuseConnection(service: Service, error: ServiceError, received: Received, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { requestId } = identify(service.seed, service.occurrences, {
    method: '',
    url: error.kind,
    authorization: undefined,
    idempotencyKey: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    fault: undefined,
    body: received.body,
  });
  const answer = errorAnswer(service.world, requestId, error);
  const pairs = [...answerHeaders(service, answer), 'connection', 'close'];
  const lines = pairs.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  const statusLine = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  const bytes = `${statusLine}${lines}\r\n${answer.body}`;
  const record = service.journal?.begin({
    ...received,
    requestId,
    idempotencyKey: undefined,
    isRequest: false,
  });
  record?.replied(answer.status, pairs, answer.body);
  record?.ended('answered', bytes.length);
  socket.end(bytes, 'latin1', () => socket.destroy());
}
