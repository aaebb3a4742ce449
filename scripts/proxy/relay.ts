import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { codeOf } from '../../suites/kit/network/connection-failures.ts';
import { passedHeaders, type RawHeaders } from './hop-by-hop.ts';
import { type BodyRoom, KeptBody } from './relayed-exchange.ts';
import type { RelayedExchange, RelayEnd, RelayWatcher } from './relayed-exchange.ts';

/** Passes one answer on while it comes, and keeps a copy. What happens to one side happens to the other. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #relayed: RelayedExchange;
  readonly #room: BodyRoom;
  readonly #response: ServerResponse;
  readonly #watcher: RelayWatcher;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(relayed: RelayedExchange, response: ServerResponse, room: BodyRoom, watcher: RelayWatcher) {
    this.#relayed = relayed;
    this.#response = response;
    this.#room = room;
    this.#watcher = watcher;
    response.sendDate = false;
    response.on('drain', () => this.#controller?.resume());
    response.on('error', () => {});
    response.on('close', () => this.#left());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#relayed.end !== undefined) controller.abort(new Error('the caller has left'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void {
    // Node has answered a request to continue already; other interim answers change nothing.
    if (status < 200) return;
    const rawHeaders = rawOf(controller.rawHeaders, headers);
    const body = new KeptBody(this.#room, this.#relayed.arrivedAt);
    this.#relayed.answer = { status, rawHeaders, headersAt: performance.now(), body };
    this.#response.writeHead(status, statusMessage ?? '', passedHeaders(rawHeaders));
    // A head that comes with its body leaves with it; one that comes alone leaves alone.
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    if (this.#relayed.end === undefined && this.#relayed.answer?.body.size === 0)
      this.#response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#relayed.answer?.body.add(chunk);
    if (!this.#response.write(chunk)) controller.pause();
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    const raw = rawOf(controller.rawTrailers, trailers);
    if (raw.length > 0)
      this.#response.addTrailers(namedValues(raw).map(([name, value]): [string, string] => [name, value]));
    this.#end({ kind: 'whole' });
    this.#response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const code = codeOf(error);
    const { req, destroyed } = this.#response;
    if (destroyed || (req.destroyed && !req.complete)) return this.#left();
    this.#end(this.#controller === undefined ? { kind: 'unreached', why: code } : { kind: 'cut', why: code });
    breakOff(this.#response, code);
  }

  #left(): void {
    if (this.#relayed.end !== undefined) return;
    this.#end({ kind: 'left' });
    this.#controller?.abort(new Error('the caller has left'));
  }

  #end(end: RelayEnd): void {
    const relayed = this.#relayed;
    if (relayed.end !== undefined) return;
    relayed.end = end;
    relayed.endedAt = performance.now();
    this.#watcher.ended(relayed);
  }
}

/** What has come is passed on first; then the connection ends as it did on the other side. */
function breakOff({ socket }: ServerResponse, code: string): void {
  if (socket === null || socket.destroyed) return;
  const isReset = code === 'ECONNRESET' || code === 'ECONNREFUSED';
  socket.uncork();
  if (!isReset) socket.destroySoon();
  else if (socket.writableLength === 0) socket.resetAndDestroy();
  else socket.once('drain', () => socket.resetAndDestroy());
}

/** Of HTTP/1.1 as they stood on the wire. */
function rawOf(raw: unknown, parsed: Record<string, string | string[] | undefined>): RawHeaders {
  if (Array.isArray(raw))
    return raw.map((each) => (Buffer.isBuffer(each) ? each.toString('latin1') : String(each)));
  return Object.entries(parsed).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [name, each]),
  );
}

/** The body of a request while it comes, of which a copy is kept. */
export function passedBody(request: IncomingMessage, kept: KeptBody): Readable {
  return Readable.from(copied(request, kept), { objectMode: false });
}

/** A target that answers before it has read everything ends the body, and not the caller's connection. */
async function* copied(request: IncomingMessage, kept: KeptBody): AsyncGenerator<Uint8Array> {
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    kept.add(chunk);
    yield chunk;
  }
}
