import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import type { Outcome } from '../../suites/engine/model/exchange.ts';
import type { Route } from '../../suites/engine/network/route.ts';
import { Reception } from '../../suites/engine/sending/transport.ts';

/** Names and values in turn, as they stand in a message. */
export type RawHeaders = readonly string[];

/** In bytes, of each body. Chats with images are longer than those of a run, and a part of a chat cannot be judged. */
export const MOST_KEPT = 2 * 1024 * 1024;

/** Why nobody knows what became of a request whose caller did not wait. */
export const CALLER_LEFT = 'the caller closed its connection';

type ParsedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Passes one answer on while it comes, and keeps a copy. When one side ends its connection, so does the other. */
export class Relay extends Reception {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, route: Route, ended: (outcome: Outcome) => void) {
    super(Infinity, route, { keepBytes: MOST_KEPT }, ended);
    this.#response = response;
    response.sendDate = false;
    response.on('error', () => {});
    response.on('close', () => this.abort(CALLER_LEFT));
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ParsedHeaders,
    statusMessage = '',
  ): void {
    super.onResponseStart(controller, status, headers);
    // Node has answered a request to continue already; other interim answers change nothing.
    if (status < 200) return;
    this.#response.writeHead(status, statusMessage, passedHeaders(rawOf(controller)));
    this.#response.flushHeaders();
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    super.onResponseData(controller, chunk);
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  override onResponseEnd(): void {
    super.onResponseEnd();
    this.#response.end();
  }

  override onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const { req, socket, destroyed } = this.#response;
    if (destroyed || (req.destroyed && !req.complete)) this.abort(CALLER_LEFT);
    super.onResponseError(controller, error);
    // What has come is passed on first.
    socket?.uncork();
    socket?.destroySoon();
  }
}

/** As they stood on the wire: undici has the bytes. */
function rawOf({ rawHeaders }: Dispatcher.DispatchController): RawHeaders {
  if (!Array.isArray(rawHeaders)) return [];
  return rawHeaders.map((each) => (typeof each === 'string' ? each : each.toString('latin1')));
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
