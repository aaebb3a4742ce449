import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import type { Answer, Outcome } from '../../suites/engine/model/exchange.ts';
import { codeOf } from '../../suites/engine/network/connection-failures.ts';
import { ReceivedBody } from '../../suites/engine/sending/received-body.ts';
import { CONNECTION_BROKE, GATEWAY_ERROR, isGatewayStatus } from '../../suites/engine/sending/transport.ts';

/** Names and values in turn, as they stand in a message. */
export type RawHeaders = readonly string[];

/** One request on its way through the proxy. It holds keys. */
export interface RelayedRequest {
  /** From 1, in the order of arrival. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  /** In milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReceivedBody;
}

/** A request whose answer has ended. It holds keys. */
export interface RelayedExchange extends RelayedRequest {
  readonly outcome: Outcome;
  readonly endedAt: number;
}

/** In bytes, of each body. Chats with images are longer than those of a run, and a part of a chat cannot be judged. */
export const MOST_KEPT = 2 * 1024 * 1024;

/** Why nobody knows what became of a request whose caller did not wait. */
export const CALLER_LEFT = 'the caller closed its connection';

/** Why a request was not sent. */
const NOT_CONNECTED = 'no connection';

type ParsedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Passes one answer on while it comes, and keeps a copy. When one side ends its connection, so does the other. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #since: number;
  readonly #ended: (outcome: Outcome) => void;
  readonly #copy = new ReceivedBody(MOST_KEPT);
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<Answer, 'status' | 'headers' | 'headersAt'> | undefined;
  #hasEnded = false;

  /** `since`: when the request arrived; `ended` is called once. */
  constructor(response: ServerResponse, since: number, ended: (outcome: Outcome) => void) {
    this.#response = response;
    this.#since = since;
    this.#ended = ended;
    response.sendDate = false;
    response.on('drain', () => this.#controller?.resume());
    response.on('error', () => {});
    response.on('close', () => this.#left());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#hasEnded) controller.abort(new Error(CALLER_LEFT));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ParsedHeaders,
    statusMessage = '',
  ): void {
    // Node has answered a request to continue already; other interim answers change nothing.
    if (status < 200) return;
    const raw = rawOf(controller.rawHeaders, headers);
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    this.#head = { status, headers: Object.fromEntries(named), headersAt: this.#now() };
    this.#response.writeHead(status, statusMessage, passedHeaders(raw));
    this.#response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#copy.add(chunk, this.#now());
    if (!this.#response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    const status = this.#head?.status ?? 0;
    this.#end(isGatewayStatus(status) ? `${GATEWAY_ERROR}: status ${status}` : undefined);
    this.#response.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    const { req, socket, destroyed } = this.#response;
    if (destroyed || (req.destroyed && !req.complete)) return this.#left();
    const why = this.#controller === undefined ? NOT_CONNECTED : CONNECTION_BROKE;
    this.#end(`${why}: ${codeOf(error)}`);
    // What has come is passed on first.
    socket?.uncork();
    socket?.destroySoon();
  }

  #left(): void {
    if (this.#hasEnded) return;
    this.#end(CALLER_LEFT);
    this.#controller?.abort(new Error(CALLER_LEFT));
  }

  /** `reason`: why there is no whole answer of the service; undefined: there is. */
  #end(reason: string | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const answer = this.#head && { ...this.#head, ...this.#copy.read(), endedAt: this.#now() };
    if (this.#controller === undefined && reason !== undefined)
      return this.#ended({ kind: 'not-sent', reason });
    if (reason === undefined && answer !== undefined) return this.#ended({ kind: 'answered', answer });
    this.#ended({ kind: 'uncertain', reason: reason ?? CONNECTION_BROKE, ...(answer && { answer }) });
  }

  #now(): number {
    return performance.now() - this.#since;
  }
}

/** As they stood on the wire in HTTP/1.1; names of HTTP/2 are in lower case. */
function rawOf(raw: unknown, parsed: ParsedHeaders): RawHeaders {
  if (Array.isArray(raw))
    return raw.map((each) => (Buffer.isBuffer(each) ? each.toString('latin1') : String(each)));
  return Object.entries(parsed).flatMap(([name, values = []]) =>
    [values].flat().flatMap((value) => [name, value]),
  );
}

/** Headers of one connection, and not of the message (RFC 9110, 7.6.1); and of trailers, which are not passed on. */
const OF_CONNECTION =
  /^(?:connection|keep-alive|proxy-(?:authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/;

/** All headers in their order and spelling, but those of the connection, and those of the names that are left out. */
export function passedHeaders(raw: RawHeaders, ...leftOut: readonly string[]): string[] {
  const named = (headersOf(raw).get('connection') ?? '').toLowerCase().split(',');
  const dropped = new Set([...leftOut, ...named.map((name) => name.trim())]);
  const isDropped = (name: string): boolean => dropped.has(name) || OF_CONNECTION.test(name);
  return namedValues(raw).flatMap(([name, value]) => (isDropped(name.toLowerCase()) ? [] : [name, value]));
}

export function headersOf(raw: RawHeaders): Headers {
  return new Headers(namedValues(raw).map(([name, value]) => [name, value]));
}
