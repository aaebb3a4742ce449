import { admit } from './admit.ts';
import type { Answer } from '../http/answer.ts';
import type { Caller } from '../world/caller.ts';
import { answerWith, completeOrder } from './complete-order.ts';
import { assertEmittable, workOf, type Completion } from './completion.ts';
import type { Exchange } from '../http/exchange.ts';
import { passPhase } from '../faults/pass-phase.ts';
import type { Outcome } from '../faults/trouble.ts';
import { cost, duration, type Order } from './order.ts';
import { readOrder } from './read-order.ts';
import type { Service } from '../service.ts';
import { failJob, type Job, tellLedger } from '../workspace/job.ts';
import { reviewJob } from '../workspace/review.ts';

/** Phases at which a reservation is held. */
type HeldPhase = 'after-reservation' | 'during-generation';

const REPLAYED: readonly string[] = ['idempotency-replayed', 'true'];

/**
 * A completion from its body to its answer: validate, claim the Idempotency-Key, admit, reserve, generate, debit,
 * reply. All at once where the model takes no time. What is refused before the debit costs nothing (LIM-4). A client
 * that goes away meanwhile does not stop the model: the completion is debited, and its answer kept for its key.
 */
export function transact(service: Service, caller: Caller, exchange: Exchange): void {
  const order = readOrder(service.world, caller, exchange.request);
  exchange.passage?.ordered(order);
  passPhase(service, 'after-validation', { exchange, caller, order }, claim);
}

/** A request that keeps the rules, before anything is kept for it. */
interface Ordered {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly order: Order;
}

function claim(service: Service, { exchange, caller, order }: Ordered): void {
  const { request, identity } = exchange;
  const claimed = service.idempotency.claim(caller.workspace, request.idempotencyKey, identity.bodyDigest);
  if (claimed.kind === 'replay') exchange.reply(replay(claimed.answer));
  else run(service, start(service, caller, { exchange, order, claim: claimed }));
}

function replay(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...REPLAYED] };
}

/** Admits and reserves. The worst case is the whole input and all of the output allowed. */
function start(service: Service, caller: Caller, job: Omit<Job, 'entry' | 'fails'>): Job {
  const { exchange, order, claim: claimed } = job;
  try {
    exchange.hold(admit(caller, service.world.limits.retryAfterSeconds));
    const entry = service.ledger.reserve({
      requestId: exchange.identity.requestId,
      workspace: caller.workspace,
      idempotencyKey: exchange.request.idempotencyKey ?? null,
      reserved: cost(order, order.allowedTokens),
    });
    tellLedger(service, exchange.passage, entry);
    return { exchange, order, claim: claimed, entry, fails: false };
  } catch (error) {
    service.idempotency.abandon(claimed);
    throw error;
  }
}

type JobStep = (service: Service, job: Job) => void;

/** A phase while the reservation is held. Where the answer is lost, the request goes on unheard or under review. */
function held(phase: HeldPhase, next: JobStep): JobStep {
  const proceed: JobStep = (service, job) => guard(service, job, next);
  const lost = (service: Service, job: Job, outcome: Outcome): void => {
    if (outcome === 'review') reviewJob(service, job);
    else next(service, { ...job, fails: outcome === 'fails' });
  };
  const pass: JobStep = (service, job) => passPhase(service, phase, job, proceed, lost);
  return (service, job) => guard(service, job, pass);
}

const run = held('after-reservation', held('during-generation', generate));

function generate(service: Service, job: Job): void {
  const completion = completeOrder(service, job.order, job.exchange.identity);
  (service.gathering ?? service.delays).after(wait(service, job.order, completion), () =>
    guard(service, { ...job, completion }, finish),
  );
}

/** The answer is whole before the debit, so that what cannot be spelt costs nothing. */
function finish(service: Service, job: Completed): void {
  const { exchange, order, entry, completion } = job;
  if (job.fails) {
    failJob(service, job);
    return;
  }
  assertEmittable(completion, order.allowedTokens);
  const answer = answerWith(service, order, exchange.identity.requestId, completion);
  service.ledger.succeed(entry, cost(order, completion.tokens), workOf(completion));
  service.idempotency.settle(job.claim, answer);
  tellLedger(service, exchange.passage, entry);
  passPhase(service, 'after-debit', { exchange, answer }, reply);
}

interface Completed extends Job {
  readonly completion: Completion;
}

interface Answered {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

function reply(_: Service, { exchange, answer }: Answered): void {
  exchange.reply(answer);
}

function guard<Held extends Job>(
  service: Service,
  job: Held,
  step: (service: Service, job: Held) => void,
): void {
  try {
    step(service, job);
  } catch (error) {
    failJob(service, job);
    job.exchange.refuse(error);
  }
}

function wait(service: Service, order: Order, { tokens }: Completion): number {
  const { perCompletion, perToken } = service.latency;
  return duration(order, tokens) + perCompletion + perToken * tokens;
}
