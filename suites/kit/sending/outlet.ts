import type { Draft } from '../model/draft.ts';
import type { Outcome, SentRequest } from '../model/exchange.ts';
import type { RunOptions, Target } from '../model/run.ts';
import type { Redactor } from './redact.ts';
import type { RunRecord } from './run-record.ts';
import { openTransport, type Transport } from './transport.ts';
import { wireRequest } from './wire-request.ts';

/** Where requests leave: exactly once each, written down before, and with every key taken out of what comes back. */
export class TargetConnection {
  readonly #target: Target;
  readonly #basePath: string;
  readonly #transport: Transport;
  readonly #record: RunRecord;
  readonly #redact: Redactor;

  constructor(
    { target, timeoutMs }: Pick<RunOptions, 'target' | 'timeoutMs'>,
    record: RunRecord,
    redact: Redactor,
  ) {
    const { origin, pathname } = new URL(target.baseUrl);
    this.#target = target;
    this.#basePath = pathname;
    this.#transport = openTransport(origin, timeoutMs);
    this.#record = record;
    this.#redact = redact;
  }

  /** Whatever cannot be written down does not leave. */
  async send(id: string, request: SentRequest, draft: Draft): Promise<Outcome> {
    this.#record.begin(id, request, draft.armed);
    const { closed } = this.#record;
    if (closed !== undefined) return { kind: 'not-sent', reason: closed };
    const onWire = wireRequest(request, this.#target, this.#basePath);
    return this.#redact.outcome(await this.#transport.exchange(onWire, draft));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
