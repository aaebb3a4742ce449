import { HEADERS } from '../../../fixtures/wire.ts';
import { Budget, type Patience } from './budget.ts';
import { costOf } from './cost-of.ts';
import type { Deployment } from '../control/deployment.ts';
import { leftArmed } from '../control/left-armed.ts';
import { openDeployment } from '../control/open-deployment.ts';
import type { Draft } from '../draft.ts';
import type { Exchange, Outcome, SentRequest } from '../exchange.ts';
import { Gate } from './gate.ts';
import { Outlet } from './outlet.ts';
import { pause } from './pause.ts';
import { isRateLimited, retryAfterMs } from './rate-limited.ts';
import { redactorOf } from './redact.ts';
import type { RunOptions } from '../run.ts';
import { draftPrint } from './draft-print.ts';
import { RunRecord } from './run-record.ts';
import { askedOutput, isChargeable, sentRequest } from './sent-request.ts';
import type { Sender } from '../stimulus.ts';

const RATE_LIMIT_TRIES = 5;
const UNCERTAIN_IN_A_ROW = 3;

type WireOptions = Pick<
  RunOptions,
  'target' | 'control' | 'caps' | 'concurrency' | 'timeoutMs' | 'onExchange' | 'signal' | 'journal'
>;

/**
 * The one way out of a run: every request passes the caps, the gate, and the record. It sends each request
 * exactly once; only one that was refused for its rate goes out again, under a new Idempotency-Key.
 */
export class Wire {
  readonly budget: Budget;
  readonly deployment: Deployment | undefined;
  readonly #outlet: Outlet;
  readonly #gate: Gate;
  readonly #outputCap: number;
  readonly #record: RunRecord;
  readonly #signal: RunOptions['signal'];
  readonly #controls = new Map<string, Promise<Exchange>>();
  readonly #gaveUp = new WeakSet<Exchange>();
  #uncertainInARow = 0;
  /** Until then nobody sends: a rate limit error asks all to wait, not only the request it refused. */
  #resumeAt = 0;

  constructor(options: WireOptions) {
    const redact = redactorOf(options.target.keys, options.control?.token);
    this.#record = new RunRecord(options);
    this.#outlet = new Outlet(options, this.#record, redact);
    this.#gate = new Gate(options.concurrency);
    this.#outputCap = options.caps.outputTokens;
    this.#signal = options.signal;
    this.budget = new Budget(options.caps);
    if (options.control !== undefined)
      this.deployment = openDeployment(options.control, options.timeoutMs, redact.text, (key) =>
        this.#record.show(key),
      );
  }

  /** Why no more completions are asked for; undefined while all is well. */
  get halted(): string | undefined {
    if (this.#uncertainInARow < UNCERTAIN_IN_A_ROW) return undefined;
    return `${UNCERTAIN_IN_A_ROW} requests in a row had an uncertain outcome`;
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
    await this.#outlet.close();
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
      await pause(this.#resumeAt - performance.now(), this.#signal);
      return await this.#ungated(id, draft);
    } finally {
      this.#gate.leave();
    }
  }

  async #ungated(id: string, draft: Draft, patience: Patience = 'waits'): Promise<Exchange> {
    const request = sentRequest(draft);
    const withheld = await this.#withheld(request, draft, patience);
    const outcome: Outcome =
      withheld === undefined ? await this.#sent(id, request, draft) : { kind: 'not-sent', reason: withheld };
    const { armed } = draft;
    const exchange = { id, request, outcome, ...(armed !== undefined && { armed }) };
    this.#record.end(exchange, withheld);
    return exchange;
  }

  /** Why a request must not leave; undefined once it has its place under the caps. */
  async #withheld(request: SentRequest, draft: Draft, patience: Patience): Promise<string | undefined> {
    const chargeable = isChargeable(request);
    if (chargeable && this.halted !== undefined) return this.halted;
    const asked = chargeable ? askedOutput(request.body) : 0;
    if (asked > Math.max(this.#outputCap, draft.needsOutput ?? 0))
      return `it asks for ${asked} output tokens, and the cap is ${this.#outputCap}`;
    if (this.closed !== undefined) return this.closed;
    const admission = await this.budget.admit(chargeable, patience);
    return admission.kind === 'over' ? admission.reason : undefined;
  }

  async #sent(id: string, request: SentRequest, draft: Draft): Promise<Outcome> {
    const outcome = await this.#outlet.send(id, request, draft);
    const asked = isChargeable(request) ? askedOutput(request.body) : undefined;
    this.#settle(asked, outcome, draft.armed !== undefined);
    return outcome;
  }

  /** `asked`: the output tokens of a request that might be charged for; undefined for any other. */
  #settle(asked: number | undefined, outcome: Outcome, isArmed: boolean): void {
    if (outcome.kind === 'uncertain' && !isArmed) this.budget.uncertain += 1;
    if (asked === undefined) return;
    if (!isArmed) this.#uncertainInARow = outcome.kind === 'uncertain' ? this.#uncertainInARow + 1 : 0;
    this.budget.settle(costOf(outcome, asked));
  }
}
