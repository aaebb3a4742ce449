import { HEADERS } from '../../../fixtures/wire.ts';
import type { Allowance } from './allowance.ts';
import { Budget, type Patience } from './budget.ts';
import type { Deployment } from '../control/deployment.ts';
import { leftArmed } from '../control/left-armed.ts';
import { openDeployment } from '../control/open-deployment.ts';
import type { Draft } from '../draft.ts';
import type { Exchange, Outcome, SentRequest } from '../exchange.ts';
import { Halt } from './halt.ts';
import { outputTokensOf } from './output-tokens.ts';
import { isRateLimited } from './rate-limited.ts';
import { Pace } from './pace.ts';
import { type Redactor, redactorOf } from './redact.ts';
import type { RunOptions, Target } from '../run.ts';
import { askedOutput, isChargeable, sentRequest } from './sent-request.ts';
import type { Sender } from '../stimulus.ts';
import { openTransport, type Transport } from './transport.ts';
import { Twins } from './twins.ts';
import { wireRequest } from './wire-request.ts';

type WireOptions = Pick<
  RunOptions,
  'target' | 'control' | 'caps' | 'withholds' | 'concurrency' | 'timeoutMs' | 'onExchange'
>;

/** What a plan bounds beside the draws, each of which brings an allowance of its own. */
export interface WireBounds {
  /** How often requests go out again after a rate limit error, all together. */
  readonly resends: number;
  /** How many different accepted twins are sent. */
  readonly twins: number;
}

const BOUNDLESS: WireBounds = { resends: Infinity, twins: Infinity };

/**
 * The one way out of a run: every request passes the caps, the gate, and the record. It sends each request
 * exactly once; only one that was refused for its rate goes out again, under a new Idempotency-Key.
 */
export class Wire {
  readonly budget: Budget;
  /** Every exchange of the run, in the order of their ends. */
  readonly record: Exchange[] = [];
  readonly deployment: Deployment | undefined;
  /** Takes the keys of the run out of whatever is shown. */
  readonly redactor: Redactor;
  readonly #target: Target;
  readonly #basePath: string;
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #twins: Twins;
  readonly #outputCap: number;
  readonly #onExchange: RunOptions['onExchange'];
  readonly #halt = new Halt();
  readonly #gaveUp = new WeakSet<Exchange>();

  constructor(options: WireOptions, bounds: WireBounds = BOUNDLESS) {
    const base = new URL(options.target.baseUrl);
    this.#target = options.target;
    this.#basePath = base.pathname;
    this.#transport = openTransport(base.origin, options.timeoutMs);
    this.#pace = new Pace(options.concurrency, this.#halt, bounds.resends);
    this.#twins = new Twins((id, draft) => this.#patiently(id, draft), options.withholds, bounds.twins);
    this.redactor = redactorOf(options.target, options.control?.token);
    this.#outputCap = options.caps.outputTokens;
    this.#onExchange = options.onExchange;
    this.budget = new Budget(options.caps, options.withholds);
    if (options.control !== undefined)
      this.deployment = openDeployment(options.control, options.timeoutMs, this.redactor.text);
  }

  /** Why no more completions are asked for; undefined while all is well. */
  get halted(): string | undefined {
    return this.#halt.ofCompletions;
  }

  /** Whether it is an accepted twin that was not sent because this run asks for no completions. */
  isWithheld(exchange: Exchange): boolean {
    return this.#twins.isWithheld(exchange);
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
      provoke: (draft) => this.#ungated(next(draft), draft, 'cannot-wait'),
      control: (draft) => {
        allowance?.takeTwin(draft);
        return this.#twins.exchange(draft);
      },
      ...(this.deployment && { deployment: this.deployment }),
    };
  }

  /** Nothing stays armed behind a run, however it ended. */
  async close(): Promise<void> {
    await leftArmed(this.deployment);
    await this.deployment?.close();
    await this.#transport.close();
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

  async #ungated(id: string, draft: Draft, patience: Patience = 'waits'): Promise<Exchange> {
    const request = sentRequest(draft);
    const outcome = await this.#admitted(request, draft, patience);
    const { armed } = draft;
    const exchange = { id, request, outcome, ...(armed !== undefined && { armed }) };
    this.record.push(exchange);
    this.#onExchange?.(exchange);
    return exchange;
  }

  async #admitted(request: SentRequest, draft: Draft, patience: Patience): Promise<Outcome> {
    const chargeable = isChargeable(request);
    const halted = chargeable ? this.#halt.ofCompletions : this.#halt.ofAll;
    if (halted !== undefined) return { kind: 'not-sent', reason: halted };
    const asked = chargeable ? askedOutput(request.body) : 0;
    if (asked > Math.max(this.#outputCap, draft.needsOutput ?? 0)) {
      return {
        kind: 'not-sent',
        reason: `it asks for ${asked} output tokens, and the cap is ${this.#outputCap}`,
      };
    }
    const admission = await this.budget.admit(chargeable, patience);
    if (admission.kind === 'over') return { kind: 'not-sent', reason: admission.reason };
    const sent = this.#transport.exchange(wireRequest(request, this.#target, this.#basePath), draft);
    const outcome = this.redactor.outcome(await sent);
    this.#settle(chargeable ? asked : undefined, outcome, draft.armed !== undefined);
    return outcome;
  }

  /** `asked`: the output tokens of a request that might be charged for; undefined for any other. */
  #settle(asked: number | undefined, outcome: Outcome, isArmed: boolean): void {
    if (outcome.kind === 'uncertain' && !isArmed) this.budget.uncertain += 1;
    if (asked === undefined) return;
    if (!isArmed) this.#halt.note(outcome.kind === 'uncertain' ? 'uncertain' : 'certain');
    const completed =
      outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status < 300);
    this.budget.settle({ completed, outputTokens: completed ? outputTokensOf(outcome, asked) : 0 });
  }
}
