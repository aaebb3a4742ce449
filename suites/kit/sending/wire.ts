import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Allowance } from './allowance.ts';
import { Budget, type WhenFull } from './budget.ts';
import { chargeOf } from './cost-of.ts';
import type { Deployment } from '../model/deployment.ts';
import { disarmIfArmed } from '../control/left-armed.ts';
import { openDeployment } from '../control/open-deployment.ts';
import type { Draft } from '../model/draft.ts';
import type { Exchange, Outcome, SentRequest } from '../model/exchange.ts';
import { Halt } from './halt.ts';
import { TargetConnection } from './outlet.ts';
import { isRateLimited } from './rate-limited.ts';
import { RateLimiter } from './pace.ts';
import { type Redactor, redactorOf } from './redact.ts';
import { RunRecord } from './run-record.ts';
import { askedOutput, isChargeable, sentRequest } from './sent-request.ts';
import type { Sender } from '../model/stimulus.ts';
import { Counterparts } from './twins.ts';
import { BOUNDLESS, type WireBounds, type WireOptions } from './wire-options.ts';

/**
 * The one way out of a run: every request passes the caps, the gate, and the record. It sends each request
 * exactly once; only one that was refused for its rate goes out again, under a new Idempotency-Key.
 */
export class Wire {
  readonly budget: Budget;
  readonly deployment: Deployment | undefined;
  /** Takes the keys of the run out of whatever is shown. */
  readonly redactor: Redactor;
  readonly #outlet: TargetConnection;
  readonly #record: RunRecord;
  readonly #pace: RateLimiter;
  readonly #twins: Counterparts;
  readonly #outputCap: number;
  readonly #halt = new Halt();
  readonly #gaveUp = new WeakSet<Exchange>();

  constructor(options: WireOptions, bounds: WireBounds = BOUNDLESS) {
    this.redactor = redactorOf(options.target, options.control?.token);
    this.#record = new RunRecord(options);
    this.#outlet = new TargetConnection(options, this.#record, this.redactor);
    this.#pace = new RateLimiter(options, this.#halt, bounds.resends);
    const way = {
      send: (id: string, draft: Draft) => this.#patiently(id, draft),
      withhold: (id: string, draft: Draft, reason: string) => this.#withheld(id, draft, reason),
    };
    this.#twins = new Counterparts(way, options.withholds, bounds.twins);
    this.#outputCap = options.caps.outputTokens;
    this.budget = new Budget(options.caps, options.withholds);
    if (options.control !== undefined)
      this.deployment = openDeployment(options.control, options.timeoutMs, this.redactor.text, (key) =>
        this.#record.show(key),
      );
  }

  /** Why no more completions are asked for; undefined while all is well. */
  get halted(): string | undefined {
    return this.#halt.ofCompletions;
  }

  /** Why nothing more leaves, whatever it costs; undefined while all is well. */
  get closed(): string | undefined {
    return this.#record.closed;
  }

  /** Every exchange of the run, in the order of their ends. */
  get record(): readonly Exchange[] {
    return this.#record.exchanges;
  }

  /** Whether a request was refused for its rate so often that it was not sent again. */
  gaveUpOn(exchange: Exchange): boolean {
    return this.#gaveUp.has(exchange);
  }

  /** Whether it was armed to be lost, and the workspace has shown what became of it: nobody has to look there again. */
  isAccountedFor({ armed, request }: Exchange): boolean {
    const key = request.headers[HEADERS.idempotencyKey] ?? '';
    return armed === 'loss' && this.deployment?.hasShown(key) === true;
  }

  /** The sender of one draw; `id` begins the ID of each of its exchanges. It sends no more than the allowance. */
  sender(id: string, allowance?: Allowance): Sender {
    let sent = 0;
    const next = (draft: Draft): string => {
      allowance?.take(draft);
      return `${id}/${sent++}`;
    };
    return {
      send: (draft) => this.#patiently(next(draft), draft),
      provoke: (draft) => this.#ungated(next(draft), draft, 'give-up'),
      control: (draft) => {
        allowance?.takeCounterpart(draft);
        return this.#twins.exchange(draft);
      },
      ...(this.deployment && { deployment: this.deployment }),
    };
  }

  /** Nothing stays armed behind a run, however it ended. */
  async close(): Promise<void> {
    await disarmIfArmed(this.deployment);
    await this.deployment?.close();
    await this.#outlet.close();
  }

  async #patiently(id: string, draft: Draft): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#pace.send(() => this.#ungated(tries === 1 ? id : `${id}.${tries}`, draft));
      if (!isRateLimited(exchange.outcome)) {
        this.#pace.letThrough(exchange);
        return exchange;
      }
      if (!this.#pace.tryAgain(exchange, tries)) {
        this.#gaveUp.add(exchange);
        return exchange;
      }
    }
  }

  async #ungated(id: string, draft: Draft, whenFull: WhenFull = 'wait'): Promise<Exchange> {
    const request = sentRequest(draft);
    const reason = await this.#obstacle(request, draft, whenFull);
    if (reason !== undefined) return this.#withheld(id, draft, reason, request);
    const { armed } = draft;
    // Others may have been asked to wait while this one waited for its place.
    if (whenFull === 'wait') await this.#pace.resumed();
    const outcome = await this.#sent(id, request, draft);
    const exchange = { id, request, outcome, ...(armed !== undefined && { armed }) };
    this.#record.end(exchange, undefined);
    return exchange;
  }

  #withheld(id: string, draft: Draft, reason: string, request = sentRequest(draft)): Exchange {
    const { armed } = draft;
    const outcome: Outcome = { kind: 'not-sent', reason };
    const exchange = { id, request, outcome, ...(armed !== undefined && { armed }) };
    this.#record.end(exchange, reason);
    return exchange;
  }

  /** Why a request must not leave; undefined once it has its place under the caps. */
  async #obstacle(request: SentRequest, draft: Draft, whenFull: WhenFull): Promise<string | undefined> {
    const chargeable = isChargeable(request);
    const halted = chargeable ? this.#halt.ofCompletions : this.#halt.ofAll;
    if (halted !== undefined) return halted;
    const asked = chargeable ? askedOutput(request.body) : 0;
    if (asked > Math.max(this.#outputCap, draft.needsOutput ?? 0))
      return `it asks for ${asked} output tokens, and the cap is ${this.#outputCap}`;
    if (this.closed !== undefined) return this.closed;
    const admission = await this.budget.admit(chargeable, whenFull);
    return admission.kind === 'over' ? admission.reason : undefined;
  }

  async #sent(id: string, request: SentRequest, draft: Draft): Promise<Outcome> {
    const outcome = await this.#outlet.send(id, request, draft);
    const asked = isChargeable(request) ? askedOutput(request.body) : undefined;
    this.#settle(asked, outcome, draft.armed);
    return outcome;
  }

  /** `asked`: the output tokens of a request that might be charged for; undefined for any other. */
  #settle(asked: number | undefined, outcome: Outcome, armed: Draft['armed']): void {
    if (outcome.kind === 'uncertain' && armed === undefined) this.budget.uncertain += 1;
    if (asked === undefined) return;
    if (armed === undefined) this.#halt.note(outcome);
    this.budget.settle(chargeOf(outcome, asked, armed));
  }
}
