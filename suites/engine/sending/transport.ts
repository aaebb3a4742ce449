import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Answer, ExchangeOptions, Outcome, Transport, WireRequest } from '../model/exchange.ts';
import type { Address, Network } from '../model/network.ts';
import { codeOf, isUnsent, unsentReason } from '../network/connection-failures.ts';
import { type Connections, openConnections } from '../network/connection-pool.ts';
import { firstErrorOf, noteUse, watchConnection } from '../network/connection-use.ts';
import { type Route, routeTo } from '../network/route.ts';
import { ReceivedBody } from './received-body.ts';

/** How the reason of a request begins whose answer came from a gateway, and came whole. */
export const GATEWAY_ERROR = 'gateway error';

/** A gateway answered: the service may have done the work nevertheless. Those above 519 are vendor-specific. */
const GATEWAY = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599]);

/** How the reason of a request begins that lost its connection. */
export const CONNECTION_BROKE = 'the connection broke';

/**
 * How it begins where that says nothing of the service: it may close a connection between two requests, as it does when it
 * ends politely, and the next request was on its way.
 */
export const WAS_CLOSING = `${CONNECTION_BROKE} as the request left`;

/** A connection that waited so long for its next request may have been closed for that. */
const IDLE_MS = 50;

/** No service takes so long between closing a connection and the moment when it is known here. */
const CLOSING_MS = 100;

/** Whether this status says that a gateway failed, and nothing of what the service did. */
export function isGatewayStatus(status: number): boolean {
  return GATEWAY.has(status);
}

/** Of an answer that goes on beyond one of these the connection is closed. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
const MOST_CHUNKS = 65_536;

/** The longest wait for a connection. */
const LONGEST_CONNECT_MS = 10_000;

/** Opens connections to an address; `timeoutMs` bounds each whole exchange. */
export function openTransport(address: Address, timeoutMs: number, network: Network = {}): Transport {
  const route = routeTo(address, network);
  const connectMs = Math.min(timeoutMs, LONGEST_CONNECT_MS);
  const connections = openConnections(route, network, { connectMs, answerMs: timeoutMs });
  return {
    exchange: async (request, options = {}) => {
      const ended = await dispatch(connections, request, timeoutMs, options);
      return ended.kind === 'failed' ? outcomeOf(ended, route) : ended;
    },
    close: () => connections.close(),
  };
}

/** An exchange that an error ended, with what had arrived of its answer. */
interface Failed {
  readonly kind: 'failed';
  readonly error: Error;
  /** Whether the request may have left. */
  readonly began: boolean;
  /** How long it was under way, in milliseconds. */
  readonly lasted: number;
  /** How long its connection was idle before, in milliseconds; undefined: it was new. */
  readonly idleMs: number | undefined;
  readonly answer?: Answer;
}

function dispatch(
  connections: Connections,
  { method, path, headers, body }: WireRequest,
  timeoutMs: number,
  options: ExchangeOptions,
): Promise<Outcome | Failed> {
  return new Promise((resolve) => {
    const reception = new Reception(timeoutMs, options, resolve);
    const { hold } = options;
    const length = body?.length ?? 0;
    if (body === undefined || hold === undefined)
      return connections.dispatch({ method, path, headers, body: body ?? null }, length, reception);
    const sized = { ...headers, 'content-length': String(length) };
    const held = Readable.from(heldBack(body, hold));
    connections.dispatch({ method, path, headers: sized, body: held }, length, reception);
  });
}

/** The body, its last byte apart. */
async function* heldBack(body: Uint8Array, hold: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, -1);
  await hold();
  yield body.subarray(-1);
}

function outcomeOf({ error, began, answer, lasted, idleMs }: Failed, route: Route): Outcome {
  if (!began || isUnsent(error)) return { kind: 'not-sent', reason: unsentReason(error, route) };
  const isCut = answer === undefined && CUT.has(codeOf(error));
  const broke = isCut && lasted < CLOSING_MS && idleMs !== undefined ? closing(idleMs) : CONNECTION_BROKE;
  const reason = error instanceof Cut ? error.message : `${broke}: ${codeOf(error)}`;
  return { kind: 'uncertain', reason, ...(answer !== undefined && { answer }) };
}

function closing(idleMs: number): string {
  return idleMs < IDLE_MS ? WAS_CLOSING : `${WAS_CLOSING}, after it was idle for ${Math.round(idleMs)} ms`;
}

/** The other side closed the connection, and said nothing, or said it too late for the client to hear. */
const CUT: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Gathers one answer, with the time of each of its pieces. */
class Reception implements Dispatcher.DispatchHandler {
  readonly #sentAt = performance.now();
  readonly #resolve: (ended: Outcome | Failed) => void;
  readonly #options: ExchangeOptions;
  readonly #deadline: NodeJS.Timeout;
  readonly #body: ReceivedBody;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #headersAt = 0;
  #isLate = false;
  #socket: Socket | undefined;
  #idleMs: number | undefined;

  constructor(timeoutMs: number, options: ExchangeOptions, resolve: (ended: Outcome | Failed) => void) {
    this.#body = new ReceivedBody(options.keepBytes);
    this.#resolve = resolve;
    this.#options = options;
    options.giveUp?.addEventListener('abort', this.#giveUp);
    this.#deadline = setTimeout(() => this.#abort(`no complete answer within ${timeoutMs} ms`), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    watchConnection((socket, idleMs) => {
      this.#socket = socket;
      this.#idleMs = idleMs;
    });
    if (this.#isLate) controller.abort(new Cut('the deadline passed before a connection was made'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headersAt = performance.now() - this.#sentAt;
    for (const name in headers) this.#headers[name] = String(headers[name]);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.add(chunk, performance.now() - this.#sentAt);
    if (this.#body.size > LARGEST_ANSWER) this.#abort(`an answer of more than ${LARGEST_ANSWER} bytes`);
    if (this.#body.chunks > MOST_CHUNKS) this.#abort(`an answer in more than ${MOST_CHUNKS} chunks`);
  }

  onResponseEnd(): void {
    this.#settled();
    noteUse(this.#socket);
    const answer = this.#answer();
    if (!isGatewayStatus(answer.status) || this.#options.armed === 'refusal')
      return this.#resolve({ kind: 'answered', answer });
    this.#resolve({ kind: 'uncertain', reason: `${GATEWAY_ERROR}: status ${answer.status}`, answer });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, last: Error): void {
    this.#settled();
    const error = codeOf(last) === 'UND_ERR_SOCKET' ? (firstErrorOf(this.#socket) ?? last) : last;
    // It starts on a connection that stands: before that, nothing left this machine.
    const began = this.#controller !== undefined;
    const lasted = performance.now() - this.#sentAt;
    const answer = this.#status > 0 ? { answer: this.#answer() } : {};
    this.#resolve({ kind: 'failed', error, began, lasted, idleMs: this.#idleMs, ...answer });
  }

  readonly #giveUp = (): void => {
    this.#abort(`no longer waited for: ${String(this.#options.giveUp?.reason)}`);
  };

  #settled(): void {
    clearTimeout(this.#deadline);
    this.#options.giveUp?.removeEventListener('abort', this.#giveUp);
  }

  #abort(reason: string): void {
    if (this.#controller !== undefined) return this.#controller.abort(new Cut(reason));
    // There is no connection yet: if one opens later, the request must not leave.
    this.#isLate = true;
    this.#resolve({ kind: 'not-sent', reason });
  }

  #answer(): Answer {
    return {
      status: this.#status,
      headers: this.#headers,
      ...this.#body.read(),
      headersAt: this.#headersAt,
      endedAt: performance.now() - this.#sentAt,
    };
  }
}

/** We ended the exchange ourselves. */
class Cut extends Error {
  override readonly name = 'Cut';
}
