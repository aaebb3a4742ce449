import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  type Answer,
  CONNECTION_BROKE,
  type ExchangeOptions,
  type Outcome,
  type Transport,
  type WireRequest,
} from '../model/exchange.ts';
import type { Address, Network } from '../model/network.ts';
import { codeOf, isUnsent, unsentReason } from '../network/connection-failures.ts';
import { type ConnectionUse, openConnections, watchConnection } from '../network/connection-pool.ts';
import { type Route, routeTo } from '../network/route.ts';
import { ReceivedBody } from './received-body.ts';

/** How the reason of a request begins whose answer came from a gateway, and came whole. */
export const GATEWAY_ERROR = 'gateway error';

/** A gateway answered: the service may have done the work nevertheless. Those above 519 are vendor-specific. */
const GATEWAY = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599]);

/**
 * How it begins where that says nothing of the service: it may close a connection between two requests, as it does when it
 * ends politely, and the next request was on its way.
 */
export const WAS_CLOSING = `${CONNECTION_BROKE} as the request left`;

/** No service takes so long between closing a connection and the moment when it is known here. */
const CLOSING_MS = 100;

/** The other side closed the connection, and said nothing, or said it too late for the client to hear. */
const CUT: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Of an answer that goes on beyond one of these the connection is closed. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
const MOST_CHUNKS = 65_536;

const LONGEST_CONNECT_MS = 10_000;

/** Opens connections to an address; `timeoutMs` bounds each whole exchange. */
export function openTransport(address: Address, timeoutMs: number, network: Network = {}): Transport {
  const route = routeTo(address, network);
  const connectMs = Math.min(timeoutMs, LONGEST_CONNECT_MS);
  const connections = openConnections(route, network, { connectMs, answerMs: timeoutMs });
  const exchange = ({ body, ...request }: WireRequest, options: ExchangeOptions = {}) =>
    new Promise<Outcome>((resolve) => {
      const reception = new Reception(timeoutMs, route, options, resolve);
      const { hold, after } = options;
      const length = body?.length ?? 0;
      const isOwn = after !== undefined;
      if (body === undefined || hold === undefined)
        return connections.dispatch({ ...request, body: body ?? null }, length, reception, isOwn);
      const headers = { ...request.headers, 'content-length': String(length) };
      const held = Readable.from(heldBack(body, hold));
      connections.dispatch({ ...request, headers, body: held }, length, reception, isOwn);
    });
  return { exchange, close: connections.close };
}

/** The body, its last byte apart. */
async function* heldBack(body: Uint8Array, hold: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, -1);
  await hold();
  yield body.subarray(-1);
}

/** Gathers one answer, with the time of each of its pieces; without a time limit, however long it is. */
export class Reception implements Dispatcher.DispatchHandler {
  readonly #sentAt = performance.now();
  readonly #route: Route;
  readonly #options: ExchangeOptions;
  readonly #resolve: (outcome: Outcome) => void;
  /** Undefined: there is no limit, neither of time nor of size. */
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #body: ReceivedBody;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<Answer, 'status' | 'headers' | 'headersAt'> = { status: 0, headers: {}, headersAt: 0 };
  /** Why we ended the exchange ourselves. */
  #aborted: string | undefined;
  #use: ConnectionUse = {};
  #isOver = false;

  constructor(timeoutMs: number, route: Route, options: ExchangeOptions, done: (outcome: Outcome) => void) {
    this.#route = route;
    this.#options = options;
    this.#resolve = done;
    this.#body = new ReceivedBody(options.keepBytes);
    if (Number.isFinite(timeoutMs))
      this.#deadline = setTimeout(() => this.abort(`no complete answer within ${timeoutMs} ms`), timeoutMs);
    options.giveUp?.addEventListener('abort', this.#giveUp);
    if (options.giveUp?.aborted === true) this.#giveUp();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#use = watchConnection();
    // The deadline passed before a connection was made: the request must not leave.
    if (this.#aborted !== undefined) controller.abort(new Error(this.#aborted));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    received: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const headers = Object.entries(received).map(([name, value]) => [name, String(value)]);
    this.#head = { status, headers: Object.fromEntries(headers), headersAt: this.#lasted() };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.add(chunk, this.#lasted());
    if (this.#deadline === undefined) return;
    if (this.#body.size > LARGEST_ANSWER) this.abort(`an answer of more than ${LARGEST_ANSWER} bytes`);
    if (this.#body.chunks > MOST_CHUNKS) this.abort(`an answer in more than ${MOST_CHUNKS} chunks`);
  }

  onResponseEnd(): void {
    const answer = this.#answer();
    if (!GATEWAY.has(answer.status) || this.#options.armed === 'refusal')
      return this.#end({ kind: 'answered', answer });
    this.#end({ kind: 'uncertain', reason: `${GATEWAY_ERROR}: status ${answer.status}`, answer });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, last: Error): void {
    const code = codeOf(last);
    const error = code === 'UND_ERR_SOCKET' ? (this.#use.firstError?.() ?? last) : last;
    // A request starts on a connection that stands: before that, nothing left this machine.
    if (this.#controller === undefined || isUnsent(error))
      return this.#end({ kind: 'not-sent', reason: unsentReason(error, this.#route) });
    const reason = this.#aborted ?? `${this.#howItBroke(error)}: ${codeOf(error)}`;
    const begun = this.#head.status > 0 && { answer: this.#answer() };
    this.#end({ kind: 'uncertain', reason, ...begun });
  }

  #howItBroke(error: Error): string {
    const isCut = this.#head.status === 0 && CUT.has(codeOf(error));
    return isCut && this.#use.isReused === true && this.#lasted() < CLOSING_MS
      ? WAS_CLOSING
      : CONNECTION_BROKE;
  }

  readonly #giveUp = (): void => {
    this.abort(`no longer waited for: ${String(this.#options.giveUp?.reason)}`);
  };

  /** Ends the exchange, unless it has ended. */
  abort(reason: string): void {
    if (this.#isOver) return;
    this.#aborted ??= reason;
    if (this.#controller === undefined) this.#resolve({ kind: 'not-sent', reason });
    else this.#controller.abort(new Error(reason));
  }

  #end(outcome: Outcome): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#options.giveUp?.removeEventListener('abort', this.#giveUp);
    this.#resolve(outcome);
  }

  #answer(): Answer {
    return { ...this.#head, ...this.#body.read(), endedAt: this.#lasted() };
  }

  #lasted(): number {
    return performance.now() - this.#sentAt;
  }
}
