import { type Dispatcher, Pool } from 'undici';
import type { Answer, ExchangeOptions, Outcome, Piece, Transport, WireRequest } from '../model/exchange.ts';

/** Nothing left this machine: only after these may a request be sent again. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** A gateway answered: the service may have done the work all the same. Those above 519 are vendors' own. */
const GATEWAY = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599]);

const LARGEST_ANSWER = 32 * 1024 * 1024;

/** Opens connections to `origin`; `timeoutMs` bounds each whole exchange. */
export function openTransport(origin: string, timeoutMs: number): Transport {
  const pool = new Pool(origin, {
    connections: 256,
    pipelining: 1,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    exchange: (request, options = {}) => dispatch(pool, request, timeoutMs, options),
    close: () => pool.destroy(),
  };
}

function dispatch(
  pool: Pool,
  request: WireRequest,
  timeoutMs: number,
  options: ExchangeOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const reception = new Reception(timeoutMs, options, resolve);
    const { method, path, headers, body } = request;
    pool.dispatch({ method, path, headers, body: body ?? null }, reception);
  });
}

/** Gathers one answer, with the time of each of its pieces. */
class Reception implements Dispatcher.DispatchHandler {
  readonly #sentAt = performance.now();
  readonly #resolve: (outcome: Outcome) => void;
  readonly #options: ExchangeOptions;
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  readonly #pieces: Piece[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #headersAt = 0;
  #size = 0;
  #isLate = false;

  constructor(timeoutMs: number, options: ExchangeOptions, resolve: (outcome: Outcome) => void) {
    this.#resolve = resolve;
    this.#options = options;
    options.giveUp?.addEventListener('abort', () =>
      this.#abort('no longer waited for: the run armed the loss of its answer'),
    );
    this.#deadline = setTimeout(() => this.#abort(`no complete answer within ${timeoutMs} ms`), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
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
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#pieces.push({ at: performance.now() - this.#sentAt, upTo: this.#size });
    if (this.#size > LARGEST_ANSWER) this.#abort(`an answer of more than ${LARGEST_ANSWER} bytes`);
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const answer = this.#answer();
    if (!GATEWAY.has(answer.status) || this.#options.armed === 'refusal')
      return this.#resolve({ kind: 'answered', answer });
    this.#resolve({ kind: 'uncertain', reason: `gateway error: status ${answer.status}`, answer });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    clearTimeout(this.#deadline);
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    if (NOT_SENT.has(code)) return this.#resolve({ kind: 'not-sent', reason: notSentReason(code) });
    const reason = error instanceof Cut ? error.message : `the connection broke: ${code}`;
    this.#resolve({ kind: 'uncertain', reason, ...(this.#status > 0 && { answer: this.#answer() }) });
  }

  #abort(reason: string): void {
    if (this.#controller !== undefined) return this.#controller.abort(new Cut(reason));
    // There is no connection yet: if one is made later, the request must not leave.
    this.#isLate = true;
    this.#resolve({ kind: 'not-sent', reason });
  }

  #answer(): Answer {
    return {
      status: this.#status,
      headers: this.#headers,
      body: this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks),
      pieces: this.#pieces,
      headersAt: this.#headersAt,
      endedAt: performance.now() - this.#sentAt,
    };
  }
}

/** We ended the exchange ourselves. */
class Cut extends Error {
  override readonly name = 'Cut';
}

function notSentReason(code: string): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host';
  return `no connection: ${code}`;
}
