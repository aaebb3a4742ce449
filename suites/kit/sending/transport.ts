import type { Dispatcher } from 'undici';
import type { Answer, ExchangeOptions, Outcome, Transport, WireRequest } from '../model/exchange.ts';
import { ConnectionPool } from './connection-pool.ts';
import { ReceivedBody } from './received-body.ts';

/** A gateway answered: the service may have done the work nevertheless. Those above 519 are vendor-specific. */
const GATEWAY = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599]);

/** The reason of a request that found nothing listening. */
export const CONNECTION_REFUSED = 'connection refused';

/** How the reason of a request begins that lost its connection. */
export const CONNECTION_BROKE = 'the connection broke';

const LARGEST_ANSWER = 32 * 1024 * 1024;

/** Opens connections to `origin`; `timeoutMs` bounds each whole exchange. */
export function openTransport(origin: string, timeoutMs: number): Transport {
  const connections = new ConnectionPool(origin, {
    connect: { timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    exchange: async (request, options = {}) => {
      const { dispatcher, release } = connections.open(request.body?.length ?? 0);
      const outcome = await dispatch(dispatcher, request, timeoutMs, options);
      release();
      return outcome;
    },
    close: () => connections.close(),
  };
}

function dispatch(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeoutMs: number,
  options: ExchangeOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const reception = new Reception(timeoutMs, options, resolve);
    const { method, path, headers, body } = request;
    dispatcher.dispatch({ method, path, headers, body: body ?? null }, reception);
  });
}

/** Gathers one answer, with the time of each of its pieces. */
class Reception implements Dispatcher.DispatchHandler {
  readonly #sentAt = performance.now();
  readonly #resolve: (outcome: Outcome) => void;
  readonly #options: ExchangeOptions;
  readonly #deadline: NodeJS.Timeout;
  readonly #body: ReceivedBody;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #headersAt = 0;
  #isLate = false;

  constructor(timeoutMs: number, options: ExchangeOptions, resolve: (outcome: Outcome) => void) {
    this.#body = new ReceivedBody(options.keepBytes);
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
    this.#body.add(chunk, performance.now() - this.#sentAt);
    if (this.#body.size > LARGEST_ANSWER) this.#abort(`an answer of more than ${LARGEST_ANSWER} bytes`);
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
    // It starts on a connection that stands: before that, nothing left this machine.
    if (this.#controller === undefined)
      return this.#resolve({ kind: 'not-sent', reason: notSentReason(code) });
    const reason = error instanceof Cut ? error.message : `${CONNECTION_BROKE}: ${code}`;
    this.#resolve({ kind: 'uncertain', reason, ...(this.#status > 0 && { answer: this.#answer() }) });
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

const NOT_SENT_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: CONNECTION_REFUSED,
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  EMFILE: 'no connection: this process has too many open files (EMFILE)',
  ENFILE: 'no connection: this machine has too many open files (ENFILE)',
  EADDRNOTAVAIL: 'no connection: this machine has no port left (EADDRNOTAVAIL)',
};

function notSentReason(code: string): string {
  return NOT_SENT_REASONS[code] ?? `no connection: ${code}`;
}
