import { admit } from './admit.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import type { Caller } from './caller.ts';
import { assertEmittable, type Completion, jsonUtf8 } from './completion.ts';
import type { Exchange } from './exchange.ts';
import { generate } from './generate.ts';
import type { Claim } from './idempotency-store.ts';
import type { LedgerEntry } from './ledger.ts';
import { cost, duration, type Order } from './order.ts';
import { readOrder } from './read-order.ts';
import type { Service } from './service.ts';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const UNCACHED: readonly string[] = ['cache-control', 'no-cache'];
const REPLAYED: readonly string[] = ['idempotency-replayed', 'true'];

/** A request that was admitted, and what must be given back should it come to nothing. */
interface Job {
  readonly exchange: Exchange;
  readonly order: Order;
  readonly claim: Claim;
  readonly entry: LedgerEntry;
}

/**
 * A completion from its body to its answer: validate, claim the Idempotency-Key, admit, reserve, generate, debit,
 * reply. All at once where the model takes no time. What is refused before the debit costs nothing (LIM-4). A client
 * that goes away meanwhile does not stop the model: the completion is debited, and its answer kept for its key.
 */
export function transact(service: Service, caller: Caller, exchange: Exchange): void {
  const { request, identity } = exchange;
  const order = readOrder(service.world, caller, request);
  service.strike?.('after-validation', request);
  const claim = service.idempotency.claim(caller.workspace, request.idempotencyKey, identity.bodyDigest);
  if (claim.kind === 'replay') exchange.reply(replay(claim.answer));
  else run(service, start(service, caller, { exchange, order, claim }));
}

function replay(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...REPLAYED] };
}

/** Admits and reserves. The worst case is the whole input and all of the output allowed. */
function start(service: Service, caller: Caller, job: Omit<Job, 'entry'>): Job {
  const { exchange, order, claim } = job;
  try {
    exchange.hold(admit(caller, service.world.limits.retryAfterSeconds));
    const entry = service.ledger.reserve({
      requestId: exchange.identity.requestId,
      workspace: caller.workspace,
      idempotencyKey: exchange.request.idempotencyKey ?? null,
      reserved: cost(order, order.allowedTokens),
    });
    return { exchange, order, claim, entry };
  } catch (error) {
    service.idempotency.abandon(claim);
    throw error;
  }
}

function run(service: Service, job: Job): void {
  const { request, identity } = job.exchange;
  guard(service, job, () => {
    service.strike?.('after-reservation', request);
    service.strike?.('during-generation', request);
    const completion = complete(service, job.order, identity);
    service.delays.after(wait(service, job.order, completion), () =>
      guard(service, job, () => finish(service, job, completion)),
    );
  });
}

function complete(service: Service, order: Order, identity: Exchange['identity']): Completion {
  const { text, tokens, finishReason } = generate(identity.word, order.allowedTokens);
  const created = Math.floor(service.clock() / 1000);
  const { completionId: id } = identity;
  return {
    id,
    modelJson: jsonUtf8(order.model.id),
    created,
    inputTokens: order.inputTokens,
    text,
    tokens,
    finishReason,
  };
}

/** The answer is whole before the debit, so that what cannot be spelt costs nothing. */
function finish(service: Service, { exchange, order, claim, entry }: Job, completion: Completion): void {
  assertEmittable(completion, order.allowedTokens);
  const answer = spell(service, order, exchange.identity.requestId, completion);
  service.ledger.succeed(entry, cost(order, completion.tokens));
  service.idempotency.settle(claim, answer);
  service.strike?.('after-debit', exchange.request);
  exchange.reply(answer);
}

function spell(service: Service, order: Order, requestId: string, completion: Completion): Answer {
  if (!order.stream) return jsonAnswer(requestId, service.writeCompletion(completion));
  const body = service.writeEventStream(completion);
  return { status: 200, requestId, contentType: EVENT_STREAM, body, headers: UNCACHED };
}

function guard(service: Service, { exchange, claim, entry }: Job, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (entry.state === 'running') {
      service.ledger.fail(entry);
      service.idempotency.abandon(claim);
    }
    exchange.refuse(error);
  }
}

function wait(service: Service, order: Order, { tokens }: Completion): number {
  const { perCompletion, perToken } = service.latency;
  return duration(order, tokens) + perCompletion + perToken * tokens;
}
