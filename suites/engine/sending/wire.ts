import { disarmed, openDeployment } from '../control/open-deployment.ts';
import { sentEntry } from '../journal/entries.ts';
import { isOwn } from '../model/check.ts';
import type { Deployment } from '../model/deployment.ts';
import type { Entry } from '../model/entry-schema.ts';
import {
  COUNTERPART_WITHHELD,
  type Draft,
  isChargeable,
  type Exchange,
  type Outcome,
  secondTryOf,
  type SentRequest,
} from '../model/exchange.ts';
import { addressOf } from '../model/network.ts';
import { asError } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import type { Sender } from '../model/stimulus.ts';
import { routeTo } from '../network/route.ts';
import { hasSucceeded } from '../reading/answers.ts';
import { type Redactor, redactorOf } from '../text/redact.ts';
import { Budget, type WhenFull } from './budget.ts';
import { deathIn, isSecondLook, Lifeline, SECOND_LOOK } from './lifeline.ts';
import { isRateLimited } from './rate-limit-error.ts';
import { RateLimiter } from './rate-limiter.ts';
import { RunEnd } from './run-end.ts';
import { askedOutput, requestFingerprint, sentRequest } from './sent-request.ts';
import { connectTo, type TargetConnection } from './target-connection.ts';
import { openTransport } from './transport.ts';

type WireOptions = Omit<RunOptions, 'checks' | 'invariants' | 'seed' | 'runs' | 'allow'>;

/** One request to be sent, for the exchange with this ID. */
interface Sending {
  readonly id: string;
  readonly draft: Draft;
  /** The request as it is recorded: the code of a user may have put a key into it. */
  readonly shown: (request: SentRequest) => SentRequest;
}

const LONGEST_CONTROL_ANSWER_MS = 10_000;

/** The bodies of a run take no more in memory, and about as much in its journal; a piece is two numbers in an object. */
const MOST_BODY_BYTES = 128 * 1024 * 1024;
const PIECE_BYTES = 48;

/**
 * The only way to send: every request passes the caps, the rate limiter and the record. Each request is sent
 * exactly once; only one that got a rate limit error is sent again, under a new Idempotency-Key.
 */
export class Wire {
  readonly budget: Budget;
  readonly deployment: Deployment | undefined;
  /** How many requests are in flight at once, and how fast they follow each other. */
  readonly rateLimiter: RateLimiter;
  /** Takes the keys of the run out of everything that is shown. */
  readonly redactor: Redactor;
  /** Every exchange of the run, in the order in which they ended. */
  readonly record: Exchange[] = [];
  /** What the journal of the run holds, if it has one. */
  readonly entries: Entry[] = [];
  readonly #options: WireOptions;
  readonly #connection: TargetConnection;
  readonly #end: RunEnd;
  readonly #lifeline: Lifeline;
  /** By the fingerprints of their requests: those that are under way, and those that are not any more. */
  readonly #counterparts = new Map<string, Promise<Exchange> | Exchange>();
  readonly #gaveUp = new WeakSet<Exchange>();
  /** The first completion that was served. */
  #served: Draft | undefined;
  #roomForBodies = MOST_BODY_BYTES;

  constructor(options: WireOptions) {
    const { target, control, caps, withholds, timeoutMs } = options;
    this.#options = options;
    this.#end = new RunEnd(options);
    this.redactor = redactorOf(target, control?.token);
    this.budget = new Budget(caps, withholds);
    this.#connection = connectTo(target, timeoutMs, this.redactor);
    this.rateLimiter = new RateLimiter({ ...options, signal: this.#end.signal });
    const again = this.sender(SECOND_LOOK);
    this.#lifeline = new Lifeline(routeTo(addressOf(target.baseUrl), target.network ?? {}), async () => {
      if (this.#served === undefined) return { kind: 'not-sent', reason: 'nothing was served before' };
      return (await again.provoke(this.#served)).outcome;
    });
    if (control === undefined) return;
    const patience = Math.min(timeoutMs, LONGEST_CONTROL_ANSWER_MS);
    const transport = this.#end.bounded(openTransport(addressOf(control.url), patience, target.network));
    const onShown = (idempotencyKey: string) => this.append({ type: 'shown', idempotencyKey });
    this.deployment = openDeployment(control, transport, this.redactor.value, onShown);
  }

  /** Why no more completions are requested; undefined while they are. */
  get halted(): string | undefined {
    const { ended, inDoubt } = this.#lifeline;
    const death = (ended ?? inDoubt) === undefined ? undefined : deathIn(this.record);
    return death?.line ?? ended ?? inDoubt ?? this.rateLimiter.ended;
  }

  /** `interrupted`, or that the time of the run is over; undefined while it goes on. */
  get ended(): string | undefined {
    return this.#end.reason;
  }

  /** Why no request is sent any more; undefined while requests are sent. */
  get closed(): string | undefined {
    const ended = this.ended === 'interrupted' ? 'the run was interrupted' : this.ended;
    return this.#options.journal?.failure() ?? ended;
  }

  /** Whether a request got a rate limit error so often that it was not sent again. */
  gaveUpOn(exchange: Exchange): boolean {
    return this.#gaveUp.has(exchange);
  }

  /** Writes a line of the journal. */
  append(entry: Entry): void {
    this.entries.push(entry);
    this.#options.journal?.append(entry);
  }

  /** The sender of one draw; `id` begins the ID of each of its exchanges. */
  sender(id: string): Sender {
    let sent = 0;
    const shown = isOwn({ id }) ? this.redactor.request : (request: SentRequest) => request;
    const next = (draft: Draft): Sending => ({
      id: draft.after === undefined ? `${id}/${sent++}` : secondTryOf(draft.after),
      draft,
      shown,
    });
    return {
      send: (draft) => this.#send(next(draft)),
      provoke: (draft) => this.#sendOnce(next(draft), 'give-up'),
      sendCounterpart: async (draft) => {
        const fingerprint = requestFingerprint(draft);
        const known = this.#counterparts.get(fingerprint);
        if (known !== undefined) return known;
        const sending = this.#sendCounterpart({ id: `control/${fingerprint}`, draft, shown });
        this.#counterparts.set(fingerprint, sending);
        this.#counterparts.set(fingerprint, await sending);
        return sending;
      },
      ...(this.#options.target.baseUrl.startsWith('https:') && { isSecure: true }),
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
    const request = sentRequest({ method: 'GET', path: '/models' });
    if (ended !== undefined) this.#withhold({ id: 'last-look/0', request }, ended);
  }

  /** Disarms the faults of the run, however it ended. */
  async close(): Promise<void> {
    await disarmed(this.deployment);
    await this.deployment?.close();
    await this.#connection.close();
  }

  /** Completions are sent only where the run allows any. */
  async #sendCounterpart(sending: Sending): Promise<Exchange> {
    const { id, draft, shown } = sending;
    if (this.#options.withholds !== 'completions' || !isChargeable(draft)) return this.#send(sending);
    return this.#withhold({ id, request: shown(sentRequest(draft)) }, COUNTERPART_WITHHELD);
  }

  async #send(sending: Sending): Promise<Exchange> {
    for (let attempt = 1; ; attempt += 1) {
      const id = attempt === 1 ? sending.id : `${sending.id}.${attempt}`;
      const exchange = await this.rateLimiter.send(() => this.#sendOnce({ ...sending, id }, 'wait'));
      if (this.rateLimiter.note(exchange, attempt)) continue;
      if (isRateLimited(exchange.outcome)) this.#gaveUp.add(exchange);
      return exchange;
    }
  }

  async #sendOnce({ id, draft, shown }: Sending, whenFull: WhenFull): Promise<Exchange> {
    const { armed } = draft;
    const request = sentRequest(draft);
    const begun = { id, request: shown(request), ...(armed !== undefined && { armed }) };
    if (!isSecondLook(begun)) await this.#lifeline.known();
    const withheld =
      this.#whyWithheld(request, draft) ?? (await this.budget.take(isChargeable(request), whenFull));
    if (withheld !== undefined) return this.#withhold(begun, withheld);
    // While this one waited for its place, a rate limit error may have asked all to wait.
    if (whenFull === 'wait') await this.rateLimiter.cleared();
    else this.rateLimiter.noteLeft();
    this.append(sentEntry(id, begun.request, armed));
    // A request that could not be journalled is not sent.
    if (this.closed !== undefined) return this.#settle(begun, { kind: 'not-sent', reason: this.closed });
    const { givenUp } = this.#end;
    const giveUp = draft.giveUp === undefined ? givenUp : AbortSignal.any([givenUp, draft.giveUp]);
    const limits = { giveUp, keepBytes: Math.max(0, this.#roomForBodies) };
    const outcome = await this.#connection
      .exchange(request, { ...draft, ...limits })
      .catch(async (error: unknown) => {
        // It may have left nevertheless.
        const reason = `internal error: ${asError(error).message}`;
        await this.#settle(begun, { kind: 'uncertain', reason });
        throw error;
      });
    const exchange = await this.#settle(begun, outcome);
    if (isChargeable(request) && hasSucceeded(exchange) && draft.credential === undefined)
      this.#served ??= {
        method: 'POST',
        path: draft.path,
        ...(draft.headers && { headers: draft.headers }),
        body: draft.body ?? '',
      };
    return exchange;
  }

  /** Why a request must not leave, whatever room the caps have for it. */
  #whyWithheld(request: SentRequest, { needsOutput = 0 }: Draft): string | undefined {
    const { ended, inDoubt } = this.#lifeline;
    const isPaid = isChargeable(request);
    const halted = ended ?? (isPaid ? inDoubt : undefined) ?? this.rateLimiter.ended;
    if (halted !== undefined) return halted;
    const { outputTokens } = this.#options.caps;
    const asked = isPaid ? askedOutput(request.body) : 0;
    if (asked <= Math.max(outputTokens, needsOutput)) return this.closed;
    return `it asks for ${asked} output tokens, and the cap is ${outputTokens}`;
  }

  #withhold({ id, request }: Omit<Exchange, 'outcome'>, reason: string): Exchange {
    const exchange: Exchange = { id, request, outcome: { kind: 'not-sent', reason } };
    return this.#recorded(exchange, { type: 'withheld', id, request, reason });
  }

  /** Records the outcome of a request that began, and gives its place back. */
  async #settle(begun: Omit<Exchange, 'outcome'>, outcome: Outcome): Promise<Exchange> {
    const isCounted = isChargeable(begun.request) && begun.armed === undefined;
    await this.#lifeline.note(outcome, isCounted && !isSecondLook(begun));
    const { body, pieces } = (outcome.kind !== 'not-sent' && outcome.answer) || { body: '', pieces: [] };
    this.#roomForBodies -= body.length + pieces.length * PIECE_BYTES;
    const exchange = this.#recorded({ ...begun, outcome }, { type: 'ended', id: begun.id, outcome });
    this.budget.settle(exchange);
    return exchange;
  }

  #recorded(exchange: Exchange, entry: Entry): Exchange {
    this.append(entry);
    this.record.push(exchange);
    this.#options.onExchange?.(exchange);
    return exchange;
  }
}
