import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a workspace shows of a request, for a test to falsify. */
export interface ShownRequest {
  readonly requestId: string;
  readonly idempotencyKey: string;
  readonly state: string;
  readonly reservation: { readonly credits: number; readonly state: string } | null;
  readonly debit: number | null;
  readonly usage: { readonly input: number; readonly output: number } | null;
  readonly finishReason: string | null;
}

export interface Reply {
  readonly status: number;
  readonly body: string | object;
}

/** How a small bank differs from a faithful one. */
export interface Departures {
  /** The answer to a chat that meets this fault, or none. */
  readonly replyToFault?: (fault: string | undefined) => Reply | undefined;
  /** What the workspace shows in place of a request. */
  readonly shown?: (request: ShownRequest) => readonly object[];
  /** The credits debited for a refused chat. */
  readonly refusalCosts?: number;
  /** The credits taken from the balance for a served chat, whose debit is 7. */
  readonly successCosts?: number;
  /** Credits of a served chat that stay set aside. */
  readonly keeps?: number;
  /** Answers a control request in place of the bank. */
  readonly control?: (method: string, path: string) => Reply | undefined;
}

const DEBIT = 7;
const RESERVED = 20;

/** The bank: answers requests to its service and its control URL. */
export class Bank {
  readonly asked: string[] = [];
  readonly tokens = new Set<string | undefined>();
  readonly #departures: Departures;
  readonly #requests: ShownRequest[] = [];
  rule: { fault: string; fired: number } | undefined;
  #available = 1000;
  held = 0;

  constructor(departures: Departures) {
    this.#departures = departures;
  }

  answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const isControl = url.startsWith('/control/');
    if (isControl) {
      this.asked.push(`${method} ${url.slice('/control'.length).split('?', 1)[0]}`);
      this.tokens.add(headers.authorization);
    }
    const reply = isControl
      ? this.#control(method, url.slice('/control'.length), body)
      : this.#serve(url, body, headers);
    if (reply === undefined) return;
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    const type = text.startsWith('data:') ? 'text/event-stream' : 'application/json';
    response.writeHead(reply.status, { 'content-type': text.startsWith('<') ? 'text/html' : type }).end(text);
  }

  #control(method: string, path: string, body: string): Reply | undefined {
    const other = this.#departures.control?.(method, path);
    if (other !== undefined) return other;
    if (path === '/workspace')
      return ok({ keys: { primary: { available: this.#available, held: this.held } } });
    if (path.startsWith('/requests?')) return ok({ requests: this.#shown(path) });
    if (path.startsWith('/requests/')) return this.#release(path);
    if (method === 'GET') return ok({ rules: this.rule === undefined ? [] : [this.rule] });
    this.rule = undefined;
    if (method === 'DELETE') return { status: 204, body: '' };
    const rules: { fault: string }[] = JSON.parse(body);
    for (const rule of rules) this.rule = { ...rule, fired: 0 };
    return ok({ rules: [this.rule] });
  }

  #shown(path: string): readonly object[] {
    const key = new URLSearchParams(path.slice(path.indexOf('?'))).get('idempotencyKey');
    const found = this.#requests.filter(({ idempotencyKey }) => idempotencyKey === key);
    return found.flatMap((request) => this.#departures.shown?.(request) ?? [request]);
  }

  #release(path: string): Reply {
    const id = path.split('/')[2];
    const found = this.#requests.find(({ requestId }) => requestId === id);
    if (found === undefined) return { status: 404, body: '' };
    this.held -= RESERVED;
    return ok({ ...found, state: 'failed' });
  }

  #serve(url: string, body: string, headers: IncomingMessage['headers']): Reply | undefined {
    if (headers.authorization !== 'Bearer sk-bank') return this.#refuse(401);
    if (url !== '/v1/chat/completions') return ok({ data: [{ id: 'm' }] });
    const key = String(headers['idempotency-key']);
    const fault = this.rule?.fired === 0 ? this.rule.fault : undefined;
    if (this.rule !== undefined && fault !== undefined) this.rule.fired += 1;
    const other = this.#departures.replyToFault?.(fault);
    if (fault === 'gateway_failure' || fault === 'timeout') this.#review(key);
    if (other !== undefined) return other;
    if (fault !== undefined) return faultReply(fault);
    const chat: { model: string; max_tokens: number; stream?: boolean; unheard_of?: string } =
      JSON.parse(body);
    if (chat.model !== 'm' || chat.max_tokens > 1000 || chat.unheard_of !== undefined)
      return this.#refuse(400);
    return this.#complete(key, chat.stream === true);
  }

  #refuse(status: number): Reply {
    this.#available -= this.#departures.refusalCosts ?? 0;
    return error(status, 'refused');
  }

  #review(idempotencyKey: string): void {
    this.held += RESERVED;
    this.#available -= RESERVED;
    this.#note(idempotencyKey, 'under_review', 'under_review', null);
  }

  #complete(idempotencyKey: string, isStreamed: boolean): Reply {
    const { successCosts = DEBIT, keeps = 0 } = this.#departures;
    this.#available -= successCosts + keeps;
    this.held += keeps;
    this.#note(idempotencyKey, 'succeeded', 'consumed', DEBIT);
    return ok(isStreamed ? STREAMED : COMPLETION);
  }

  #note(idempotencyKey: string, state: string, reservation: string, debit: number | null): void {
    this.#requests.push({
      requestId: `r-${this.#requests.length}`,
      idempotencyKey,
      state,
      reservation: { credits: RESERVED, state: reservation },
      debit,
      usage: debit === null ? null : { input: 3, output: 2 },
      finishReason: debit === null ? null : 'stop',
    });
  }
}

const CHOICE = { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' };
const COMPLETION = { choices: [CHOICE], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };
const STREAMED = `data: ${JSON.stringify(COMPLETION)}\n\ndata: [DONE]\n\n`;

/** The smallest completion of a small bank. */
export const BANK_COMPLETION: Reply = { status: 200, body: COMPLETION };

function ok(body: Reply['body']): Reply {
  return { status: 200, body };
}

function error(status: number, code: string): Reply {
  return { status, body: { error: { code, message: 'No.', request_id: 'e' } } };
}

/** The answer to each fault; none to a timeout. */
function faultReply(fault: string): Reply | undefined {
  if (fault === 'timeout') return undefined;
  if (fault === 'gateway_failure') return { status: 502, body: '<html>Bad gateway</html>' };
  return error(fault === 'rate_limit' ? 429 : 503, fault);
}
