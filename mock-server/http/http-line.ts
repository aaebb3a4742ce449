import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../chat/exchange.ts';
import type { Service } from '../chat/service.ts';
import { type Delivery, headerValueOf, type OutgoingAnswer } from '../faults/deliveries.ts';
import type { Ended } from '../journal/journal.ts';
import { clearTimeout, nextTurn, setImmediate, setTimeout } from '../time/timers.ts';
import type { Activity, Connections } from './connections.ts';

/** The connection of one request, on which its answer leaves. Tells the exchange what left, and how that ended. */
export class HttpLine implements Activity {
  readonly response: ServerResponse;
  readonly service: Service;
  isSilent = false;
  /** Undefined until its request was read. */
  #exchange: Exchange | undefined;
  readonly #connections: Connections;
  readonly #socket: Socket;
  /** What earlier answers have written. */
  #before = 0;

  constructor(connections: Connections, response: ServerResponse, service: Service) {
    this.response = response;
    this.service = service;
    this.#connections = connections;
    this.#socket = response.req.socket;
    connections.began(this);
  }

  carries(exchange: Exchange): void {
    this.#exchange = exchange;
    if (exchange.record === undefined) return;
    this.#before = this.#socket.bytesWritten;
    // The answers to earlier requests on the connection are still being written.
    if (this.response.socket === null)
      this.response.once('socket', () => (this.#before = this.#socket.bytesWritten));
  }

  /** Whether a part of an answer has left. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** Whether it closes after the answer, which says so. */
  get closes(): boolean {
    return this.#isUnread || this.#connections.closing;
  }

  /** Whether its body was too large to read. */
  get #isUnread(): boolean {
    return this.#exchange?.request.body === null;
  }

  /** Resolves once the answers to all earlier requests have left; never, if they never do, or the client has gone. */
  turn(): Promise<void> {
    return afterwards((done) => {
      if (this.response.destroyed) return;
      if (this.response.socket === null) this.response.once('socket', () => done());
      else done();
    });
  }

  /**
   * Hands an answer to the socket in one piece, once every request was read that has arrived with this one: a client that
   * waits for several answers is woken once.
   */
  send({ status, headers, body }: OutgoingAnswer, encoding: BufferEncoding = 'latin1'): void {
    const { response } = this;
    response.writeHead(status, [...headers]);
    if (!this.#isUnread) return void setImmediate(() => response.end(body, encoding));
    response.write(body, encoding);
    linger(response.req, () => response.end());
  }

  /** Sends an answer in the way that a fault or a defect has it. */
  async deliver(answer: OutgoingAnswer, { parts, pause = 0, end, closesAfter }: Delivery): Promise<void> {
    await this.turn();
    const { response } = this;
    const { status, headers, body } = answer;
    const isMeasured = headerValueOf(headers, 'content-length') !== undefined;
    // Whole and without a length, it ends where the connection does.
    if (parts === undefined && !isMeasured) response.useChunkedEncodingByDefault = false;
    response.writeHead(status, [...headers]);
    if (parts !== undefined) response.flushHeaders();
    let last: string | undefined;
    for (const part of parts?.(body) ?? [body]) {
      if (last !== undefined) {
        await this.#write(last);
        // Other requests have their turn.
        await (this.service.delays.wait(pause) ?? nextTurn());
      }
      last = part;
    }
    if (end !== undefined) {
      await this.#write(last ?? '');
      return end === 'silence' ? this.silence() : this.cut(end);
    }
    // A client that has the last part has the whole answer, and may go.
    await afterwards((done) => response.end(last ?? '', 'latin1', done));
    if (closesAfter === undefined) return;
    await this.service.delays.wait(closesAfter);
    // A client that has sent its next request meanwhile keeps its connection.
    this.#connections.closeIdle(this.#socket);
  }

  /** Resolves once the operating system has the bytes, so that a cut follows them; never, if the client has gone. */
  async #write(bytes: string): Promise<void> {
    await afterwards((done) => {
      // An empty part would be no part: the head, which has left before it, is waited for.
      if (bytes === '') this.#socket.write('', done);
      else this.response.write(bytes, 'latin1', done);
    });
    this.#exchange?.record?.left(bytes.length);
  }

  cut(how: 'fin' | 'rst'): void {
    this.#ended('cut');
    if (how === 'rst') this.#socket.resetAndDestroy();
    else this.#socket.destroySoon();
  }

  /** Sends nothing more. The mock does not wait for it when it closes. */
  silence(): void {
    this.#ended(this.hasBegun ? 'cut' : 'silent');
    this.#connections.silence(this);
  }

  /** Ends it where no answer can be sent, or no more of it. */
  drop(): void {
    this.#ended('cut');
    this.response.destroy();
  }

  over(how: 'answered' | 'client-gone'): void {
    this.#exchange?.release();
    this.#ended(how);
  }

  get #written(): number {
    return this.#socket.bytesWritten - this.#before;
  }

  /** The first call counts. */
  #ended(how: Ended): void {
    this.#exchange?.record?.ended(how, this.#written);
  }
}

/** Resolves once a step is done; never, if it fails: then its client has gone. */
function afterwards(step: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  step((error) => {
    if (error === undefined || error === null) resolve();
  });
  return promise;
}

/** How long, in milliseconds and bytes, a client may go on sending a body that was refused unread. */
const LINGER_MS = 1000;
const LINGER_BYTES = 16 * 1024 * 1024;

/** Waits until a client has stopped sending: if it were cut at once, unread bytes would reset it, and it would lose the answer. */
function linger(message: IncomingMessage, end: () => void): void {
  let unread = LINGER_BYTES;
  const timer = setTimeout(end, LINGER_MS).unref();
  message.once('close', () => clearTimeout(timer));
  message.once('end', end);
  message.on('data', (chunk: Buffer) => {
    unread -= chunk.length;
    if (unread < 0) end();
  });
}
