import { disarmIfArmed, openDeployment } from '../control/open-deployment.ts';
import { isOwn } from '../model/check.ts';
import type { Deployment } from '../model/deployment.ts';
import {
  COUNTERPART_WITHHELD,
  type Draft,
  isChargeable,
  type Exchange,
  type Outcome,
  type SentRequest,
} from '../model/exchange.ts';
import { addressOf } from '../model/network.ts';
import { asError } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import type { Sender, WhileWaiting } from '../model/stimulus.ts';
import { routeTo } from '../network/route.ts';
import { type Redactor, redactorOf } from '../text/redact.ts';
import { Budget, type WhenFull, chargeOf } from './budget.ts';
import { Halt } from './halt.ts';
import { deathIn, describeDeath, Lifeline } from './lifeline.ts';
import { isRateLimited, RateLimiter } from './rate-limiter.ts';
import { RunEnd } from './run-end.ts';
import { RunRecord } from './run-record.ts';
import { askedOutput, requestFingerprint, sentRequest } from './sent-request.ts';
import { connectTo, type TargetConnection } from './target-connection.ts';
import { openTransport } from './transport.ts';

/** The options of a run that decide how it sends. */
type WireOptions = Pick<
  RunOptions,
  | 'target'
  | 'control'
  | 'caps'
  | 'withholds'
  | 'concurrency'
  | 'timeoutMs'
  | 'pace'
  | 'onExchange'
  | 'onWait'
  | 'signal'
  | 'maxTimeMs'
  | 'journal'
  | 'keptBytes'
>;

/** `failure`: one of ours, in sending the request or in reading its answer. */
interface SendingResult {
  readonly outcome: Outcome;
  readonly failure?: Error;
}

const LONGEST_CONTROL_ANSWER_MS = 10_000;

/**
 * The only way to send: every request passes the caps, the rate limiter and the record. Each request is sent
 * exactly once; only one that got a rate limit error is sent again, under a new Idempotency-Key.
 */
export class Wire {
  readonly budget: Budget;
  readonly deployment: Deployment | undefined;
  /** Takes the keys of the run out of everything that is shown. */
  readonly redactor: Redactor;
  readonly #connection: TargetConnection;
  readonly #isSecure: boolean;
  readonly #end: RunEnd;
  readonly #record: RunRecord;
  readonly #rateLimiter: RateLimiter;
  readonly #withholds: WireOptions['withholds'];
  /** By the fingerprints of their requests: those that are under way, and those that are not any more. */
  readonly #counterparts = new Map<string, Promise<Exchange> | Exchange>();
  readonly #outputCap: number;
  readonly #halt = new Halt();
  readonly #lifeline: Lifeline;
  readonly #gaveUp = new WeakSet<Exchange>();
  /** Those that the code of a user made, which may put a key into them. */
  readonly #foreign = new WeakSet<Draft>();

  constructor(options: WireOptions) {
    const { target, control, caps, withholds, timeoutMs } = options;
    this.#end = new RunEnd(options);
    this.redactor = redactorOf(target, control?.token);
    this.budget = new Budget(caps, withholds);
    this.#withholds = withholds;
    this.#outputCap = caps.outputTokens;
    this.#isSecure = target.baseUrl.startsWith('https:');
    this.#record = new RunRecord(options, this.#end);
    this.#connection = connectTo(target, timeoutMs, this.redactor);
    const noteWait = (ms: number): void => options.onWait?.({ ms, requests: this.budget.requests });
    this.#rateLimiter = new RateLimiter({ ...options, signal: this.#end.signal }, this.#halt, noteWait);
    this.#lifeline = new Lifeline(routeTo(addressOf(target.baseUrl), target.network ?? {}));
    if (control === undefined) return;
    const patience = Math.min(timeoutMs, LONGEST_CONTROL_ANSWER_MS);
    const transport = this.#end.bounded(openTransport(addressOf(control.url), patience, target.network));
    const onShown = (key: string): void => this.#record.show(key);
    this.deployment = openDeployment(control, transport, this.redactor.value, onShown);
  }

  /** Why no more completions are requested; undefined while they are. */
  get halted(): string | undefined {
    const { ended } = this.#lifeline;
    if (ended === undefined) return this.#halt.ofCompletions;
    const death = deathIn(this.record);
    return death === undefined ? ended : describeDeath(death);
  }

  /** `interrupted`, or that the time of the run is over; undefined while it goes on. */
  get ended(): string | undefined {
    return this.#end.reason;
  }

  /** Why no request is sent any more; undefined while requests are sent. */
  get closed(): string | undefined {
    return this.#record.closed;
  }

  /** Every exchange of the run, in the order in which they ended. */
  get record(): readonly Exchange[] {
    return this.#record.exchanges;
  }

  /** Whether a request got a rate limit error so often that it was not sent again. */
  gaveUpOn(exchange: Exchange): boolean {
    return this.#gaveUp.has(exchange);
  }

  /** The sender of one draw; `id` begins the ID of each of its exchanges. */
  sender(id: string, whileWaiting?: WhileWaiting): Sender {
    let sent = 0;
    const note = (draft: Draft): void => {
      if (isOwn({ id })) this.#foreign.add(draft);
    };
    const next = (draft: Draft): string => {
      note(draft);
      return `${id}/${sent++}`;
    };
    return {
      send: (draft) => this.#send(next(draft), draft),
      provoke: (draft) => this.#sendOnce(next(draft), draft, 'give-up'),
      sendCounterpart: (draft) => {
        note(draft);
        return this.#counterpart(draft, whileWaiting);
      },
      ...(this.#isSecure && { isSecure: true }),
      ...(this.deployment && { deployment: this.deployment }),
    };
  }

  /**
   * Call it once all is sent: where the last connections broke, no refused one can follow that says so. Looks whether
   * something still listens, and records the request that it would have sent if nothing does.
   */
  async lastLook(): Promise<void> {
    const last = this.record.findLast(({ armed }) => armed === undefined);
    if (last?.outcome.kind !== 'uncertain' || (this.closed ?? this.#lifeline.ended) !== undefined) return;
    await this.#lifeline.lookAgain(last.outcome);
    const { ended } = this.#lifeline;
    if (ended !== undefined) this.#withhold('last-look/0', { method: 'GET', path: '/models' }, ended);
  }

  /** Disarms the faults of the run, however it ended. */
  async close(): Promise<void> {
    await disarmIfArmed(this.deployment);
    this.#end.release();
    await this.deployment?.close();
    await this.#connection.close();
  }

  /** Equal counterparts are sent once in a run, and completions only where it allows any. */
  async #counterpart(draft: Draft, whileWaiting: WhileWaiting = (sent) => sent): Promise<Exchange> {
    const fingerprint = requestFingerprint(draft);
    const known = this.#counterparts.get(fingerprint);
    if (known !== undefined) return known instanceof Promise ? whileWaiting(known) : known;
    const id = `control/${fingerprint}`;
    const isWithheld = this.#withholds === 'completions' && isChargeable(draft);
    const sent = isWithheld
      ? Promise.resolve(this.#withhold(id, draft, COUNTERPART_WITHHELD))
      : this.#send(id, draft);
    this.#counterparts.set(fingerprint, sent);
    this.#counterparts.set(fingerprint, this.#record.kept(await sent));
    return sent;
  }

  /** Sends when the rate limiter lets it, and again after a rate limit error. */
  async #send(id: string, draft: Draft): Promise<Exchange> {
    for (let attempt = 1; ; attempt += 1) {
      const attemptId = attempt === 1 ? id : `${id}.${attempt}`;
      const exchange = await this.#rateLimiter.send(() => this.#sendOnce(attemptId, draft));
      if (!isRateLimited(exchange.outcome)) {
        this.#rateLimiter.noteAdmitted(exchange);
        return exchange;
      }
      if (!this.#rateLimiter.noteRateLimited(exchange, attempt)) {
        this.#gaveUp.add(exchange);
        return exchange;
      }
    }
  }

  async #sendOnce(id: string, draft: Draft, whenFull: WhenFull = 'wait'): Promise<Exchange> {
    const request = sentRequest(draft);
    await this.#lifeline.known();
    const { deaths } = this.#lifeline;
    const reason = await this.#whyWithheld(request, draft, whenFull);
    if (reason !== undefined) return this.#withhold(id, draft, reason, request);
    // While this one waited for its place, a rate limit error may have asked all to wait.
    if (whenFull === 'wait') await this.#rateLimiter.cleared();
    else this.#rateLimiter.noteLeft();
    const { outcome, failure } = await this.#outcomeOf(id, request, draft);
    // A broken connection alone says little: the run looks before it would send no more completions.
    if (outcome.kind !== 'uncertain' || this.#halt.isNear) await this.#lifeline.note(outcome);
    const exchange = this.#record.end(this.#recorded(id, request, draft, outcome), undefined);
    // Whoever reads the journal counts the same.
    this.#settle(request, this.#record.kept(exchange).outcome, draft.armed, deaths);
    if (failure !== undefined) throw failure;
    return exchange;
  }

  #withhold(id: string, draft: Draft, reason: string, request = sentRequest(draft)): Exchange {
    return this.#record.end(this.#recorded(id, request, draft, { kind: 'not-sent', reason }), reason);
  }

  #recorded(id: string, request: SentRequest, draft: Draft, outcome: Outcome): Exchange {
    const { armed } = draft;
    return { id, request: this.#shown(request, draft), outcome, ...(armed !== undefined && { armed }) };
  }

  /** The request as it is recorded. */
  #shown(request: SentRequest, draft: Draft): SentRequest {
    return this.#foreign.has(draft) ? this.redactor.request(request) : request;
  }

  /** Why a request must not leave; undefined once it has its place under the caps. */
  async #whyWithheld(request: SentRequest, draft: Draft, whenFull: WhenFull): Promise<string | undefined> {
    const chargeable = isChargeable(request);
    const halted = this.#lifeline.ended ?? (chargeable ? this.#halt.ofCompletions : this.#halt.ofAll);
    if (halted !== undefined) return halted;
    const asked = chargeable ? askedOutput(request.body) : 0;
    if (asked > Math.max(this.#outputCap, draft.needsOutput ?? 0))
      return `it asks for ${asked} output tokens, and the cap is ${this.#outputCap}`;
    if (this.closed !== undefined) return this.closed;
    const admission = await this.budget.admit(chargeable, whenFull);
    return admission.kind === 'over' ? admission.reason : undefined;
  }

  async #outcomeOf(id: string, request: SentRequest, draft: Draft): Promise<SendingResult> {
    this.#record.begin(id, this.#shown(request, draft), draft.armed);
    // A request that could not be journalled is not sent.
    if (this.closed !== undefined) return { outcome: { kind: 'not-sent', reason: this.closed } };
    try {
      return {
        outcome: await this.#connection.exchange(request, { ...draft, giveUp: this.#giveUpOf(draft) }),
      };
    } catch (error) {
      const failure = asError(error);
      // It may have left all the same.
      return { outcome: { kind: 'uncertain', reason: `internal error: ${failure.message}` }, failure };
    }
  }

  #giveUpOf({ giveUp }: Draft): AbortSignal {
    const { givenUp } = this.#end;
    return giveUp === undefined ? givenUp : AbortSignal.any([givenUp, giveUp]);
  }

  /** Requests that were under way when the target went are one uncertain outcome, not several in a row. */
  #noteOutcome(outcome: Outcome, deaths: number): void {
    if (outcome.kind === 'uncertain' && this.#lifeline.wasGoneSince(deaths)) this.#halt.noteDeath();
    else this.#halt.noteOutcome(outcome);
  }

  #settle(request: SentRequest, outcome: Outcome, armed: Draft['armed'], deaths: number): void {
    if (outcome.kind === 'uncertain' && armed === undefined) this.budget.uncertain += 1;
    if (!isChargeable(request)) return;
    if (armed === undefined) this.#noteOutcome(outcome, deaths);
    this.budget.settle(chargeOf(outcome, askedOutput(request.body), armed));
  }
}
