import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { identify } from '../exchange/identity.ts';
import type { Arrival } from '../journal/journal.ts';
import type { ErrorKind } from '../protocol/error-table.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import { errorAnswer, answerHeaders } from './send-answer.ts';

/** A request between its head and the end of its answer. */
export interface Activity {
  readonly message: IncomingMessage;
  /** The service of the request, for `cut`. */
  readonly owner: unknown;
  release: (() => void) | null;
  /** Called if its connection closes before its answer has ended. */
  gone: (() => void) | null;
  /** Nothing more will be sent: it ends when its client disconnects. */
  isSilent: boolean;
}

/** The open connections of one mock, with the requests of each. Thousands may be held open: listeners are shared. */
export class Connections {
  readonly #open = new Map<Socket, Activity[]>();
  readonly #onClose: (this: Socket) => void;
  #closing = false;

  constructor() {
    const closed = (socket: Socket): void => this.#closed(socket);
    this.#onClose = function onClose() {
      closed(this);
    };
  }

  get closing(): boolean {
    return this.#closing;
  }

  opened(socket: Socket): void {
    this.#open.set(socket, []);
    // Node takes its own listener off after CONNECT and Upgrade, and an unhandled error ends the process.
    socket.on('error', destroyThis);
    socket.on('close', this.#onClose);
  }

  /** Forgets a connection on which another one stands, which was opened itself. */
  passedOn(socket: Socket): void {
    this.#open.delete(socket);
  }

  began(message: IncomingMessage, owner?: unknown): Activity {
    const activity = { message, owner, release: null, gone: null, isSilent: false };
    const activities = this.#open.get(message.socket);
    // Mostly the only one, for which there is exactly room.
    if (activities?.length === 0) this.#open.set(message.socket, [activity]);
    else activities?.push(activity);
    return activity;
  }

  /** Calls `release` when the activity ends; at once, if its connection is closed. */
  hold(activity: Activity, release: () => void): void {
    if (this.#open.has(activity.message.socket)) activity.release = release;
    else release();
  }

  ended(activity: Activity): void {
    const { socket } = activity.message;
    const activities = this.#open.get(socket);
    const at = activities?.indexOf(activity) ?? -1;
    // Its connection may have closed before.
    if (activities === undefined || at === -1) return;
    activities.splice(at, 1);
    activity.release?.();
    if (this.#closing && activities.length === 0) socket.destroySoon();
  }

  /** Whether a whole request has arrived on this connection, and its answer has not ended. */
  isAnswering(socket: Socket): boolean {
    const activities = this.#open.get(socket);
    return activities !== undefined && activities.some(({ message }) => message.complete);
  }

  /** Marks an activity for which nothing more will be sent. The mock closes without waiting for it. */
  silence(activity: Activity): void {
    activity.isSilent = true;
    if (this.#closing) this.drain();
  }

  /** Closes a connection on which no request runs. */
  closeIdle(socket: Socket): void {
    if (this.#open.get(socket)?.length === 0) socket.destroySoon();
  }

  /** Cuts every idle connection, now and whenever one becomes idle. */
  drain(): void {
    this.#closing = true;
    for (const [socket, activities] of this.#open)
      if (activities.every(({ isSilent }) => isSilent)) socket.destroy();
  }

  /** Cuts every connection on which a request of this owner runs. */
  cut(owner: unknown): void {
    for (const [socket, activities] of this.#open)
      if (activities.some((activity) => activity.owner === owner)) socket.destroy();
  }

  #closed(socket: Socket): void {
    const activities = this.#open.get(socket);
    this.#open.delete(socket);
    for (const { release, gone } of activities ?? []) {
      release?.();
      gone?.();
    }
  }
}

function destroyThis(this: Socket): void {
  this.destroy();
}

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
  const bytes = Buffer.from(`${statusLine}${lines}\r\n${answer.body}`);
  const record = service.journal?.begin({
    ...received,
    requestId,
    idempotencyKey: undefined,
    isRequest: false,
  });
  record?.replied(answer.status, pairs, Buffer.from(answer.body));
  record?.ended('answered', bytes.length);
  socket.end(bytes, () => socket.destroy());
}
