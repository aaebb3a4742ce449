import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS } from '../../../fixtures/wire.ts';
import { Budget, type Patience } from './budget.ts';
import type { Deployment } from '../control/deployment.ts';
import { leftArmed } from '../control/left-armed.ts';
import { openDeployment } from '../control/open-deployment.ts';
import type { Draft } from '../draft.ts';
import type { Exchange, Outcome, SentRequest } from '../exchange.ts';
import { Gate } from './gate.ts';
import { outputTokensOf } from './output-tokens.ts';
import { isRateLimited, retryAfterMs } from './rate-limited.ts';
import { type Redactor, redactorOf } from './redact.ts';
import type { RunOptions, Target } from '../run.ts';
import { draftPrint } from './draft-print.ts';
import { askedOutput, isChargeable, sentRequest } from './sent-request.ts';
import type { Sender } from '../stimulus.ts';
import { openTransport, type Transport } from './transport.ts';
import { wireRequest } from './wire-request.ts';

const RATE_LIMIT_TRIES = 5;
const UNCERTAIN_IN_A_ROW = 3;

type WireOptions = Pick<
  RunOptions,
  'target' | 'control' | 'caps' | 'concurrency' | 'timeoutMs' | 'onExchange'
>;

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
  readonly #gate: Gate;
  #outputCap: number;
  readonly #onExchange: RunOptions['onExchange'];
  readonly #controls = new Map<string, Promise<Exchange>>();
  readonly #gaveUp = new WeakSet<Exchange>();
  #uncertainInARow = 0;
  /** Until then nobody sends: a rate limit error asks all to wait, not only the request it refused. */
  #resumeAt = 0;

  constructor(options: WireOptions) {
    const base = new URL(options.target.baseUrl);
    this.#target = options.target;
    this.#basePath = base.pathname;
    this.#transport = openTransport(base.origin, options.timeoutMs);
    this.#gate = new Gate(options.concurrency);
    this.redactor = redactorOf(options.target, options.control?.token);
    this.#outputCap = options.caps.outputTokens;
    this.#onExchange = options.onExchange;
    this.budget = new Budget(options.caps);
    if (options.control !== undefined)
      this.deployment = openDeployment(options.control, options.timeoutMs, this.redactor.text);
  }

  /** Why no more completions are asked for; undefined while all is well. */
  get halted(): string | undefined {
    if (this.#uncertainInARow < UNCERTAIN_IN_A_ROW) return undefined;
    return `${UNCERTAIN_IN_A_ROW} requests in a row had an uncertain outcome`;
  }

  /** Lets every request ask for so many output tokens, where the target serves no fewer. */
  allowOutput(tokens: number): void {
    this.#outputCap = Math.max(this.#outputCap, tokens);
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

  /** The sender of one draw; `id` begins the ID of each of its exchanges. */
  sender(id: string): Sender {
    let sent = 0;
    const next = (): string => `${id}/${sent++}`;
    return {
      send: (draft) => this.#patiently(next(), draft),
      provoke: (draft) => this.#ungated(next(), draft, 'cannot-wait'),
      control: (draft) => this.#control(draft),
      ...(this.deployment && { deployment: this.deployment }),
    };
  }

  /** Nothing stays armed behind a run, however it ended. */
  async close(): Promise<void> {
    await leftArmed(this.deployment);
    await this.deployment?.close();
    await this.#transport.close();
  }

  #control(draft: Draft): Promise<Exchange> {
    const print = draftPrint(draft);
    const known = this.#controls.get(print);
    if (known !== undefined) return known;
    const exchange = this.#patiently(`control/${print}`, draft);
    this.#controls.set(print, exchange);
    return exchange;
  }

  async #patiently(id: string, draft: Draft): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#gated(tries === 1 ? id : `${id}.${tries}`, draft);
      if (!isRateLimited(exchange.outcome)) {
        this.#gate.widen();
        return exchange;
      }
      this.#gate.narrow();
      this.#resumeAt = Math.max(this.#resumeAt, performance.now() + retryAfterMs(exchange));
      if (tries === RATE_LIMIT_TRIES) {
        this.#gaveUp.add(exchange);
        return exchange;
      }
    }
  }

  async #gated(id: string, draft: Draft): Promise<Exchange> {
    const entrance = this.#gate.enter();
    if (entrance !== undefined) await entrance;
    try {
      const pause = this.#resumeAt - performance.now();
      if (pause > 0) await wait(pause);
      return await this.#ungated(id, draft);
    } finally {
      this.#gate.leave();
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
    if (chargeable && this.halted !== undefined) return { kind: 'not-sent', reason: this.halted };
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
    if (!isArmed) this.#uncertainInARow = outcome.kind === 'uncertain' ? this.#uncertainInARow + 1 : 0;
    const completed =
      outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status < 300);
    this.budget.settle({ completed, outputTokens: completed ? outputTokensOf(outcome, asked) : 0 });
  }
}
