import type { Outcome } from '../faults/fault.ts';
import { type Answer, jsonAnswer, type ReceivedRequest } from '../protocol/answer.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { LedgerEntry, Resolution } from '../workspace/ledger.ts';
import type { Caller } from '../world/caller.ts';
import { type AcceptedChat, acceptChat, withAnswer } from './accept-chat.ts';
import { answerWith, type Completion, costOf, generationOf, modelMs, workOf } from './completion.ts';
import { authenticate, listModels, route, visionCapabilities } from './endpoints.ts';
import { type Exchange, Lost } from './exchange.ts';
import type { Generation } from './generate.ts';
import type { Claim } from './idempotency-store.ts';

/** A request from its path to its answer: path and method first, then the key, then its endpoint. `request`: as the service reads it. */
export async function answerRequest(exchange: Exchange, request: ReceivedRequest): Promise<Answer> {
  const { world, callers } = exchange.service;
  const endpoint = route(request.method, request.url);
  exchange.learns({ endpoint });
  if (request.fault !== undefined && world.choices.faults.header === 'allow') {
    // Loaded only where a request asks for a fault: its schema costs start-up time.
    const { faultOfHeader } = await import('../faults/compile-faults.ts');
    exchange.requested = faultOfHeader(request.fault, endpoint);
  }
  await exchange.phase('before-authentication');
  const caller = authenticate(callers, request.authorization);
  exchange.learns({ key: caller.name });
  if (endpoint !== 'chat') return answerList(exchange, endpoint, caller);
  const { sent, chat } = acceptChat(world, caller, request);
  exchange.sent = sent;
  exchange.learns({ model: chat.model.id, stream: chat.stream });
  await exchange.phase('after-validation');
  return completeChat(exchange, caller, chat, request.idempotencyKey);
}

/** The models of a key, or its vision capabilities, or what a rule says in their place. */
async function answerList(exchange: Exchange, endpoint: 'models' | 'vision', caller: Caller) {
  await exchange.phase('after-validation');
  const { world, delays } = exchange.service;
  const { models, vision } = world.choices;
  const body = endpoint === 'models' ? listModels(caller, models) : visionCapabilities(caller, vision);
  const answer = jsonAnswer(exchange.requestId, body);
  const { chosen = {}, take } = chooseAnswer(exchange);
  take();
  await delays.wait(chosen.latency ?? 0);
  const headers = Object.entries(chosen.headers ?? {}).flat();
  return { ...answer, body: chosen.text ?? answer.body, headers };
}

/** What the rules choose for a request, if anything. `take` counts it, and tells the journal: a refused request takes no turn. */
function chooseAnswer(exchange: Exchange) {
  const { use, take } = exchange.service.answers.offer(exchange);
  return {
    chosen: use?.rule.choose(exchange, use.found, use.turn),
    take: (): void => {
      take();
      if (use !== undefined) exchange.record?.learnt({ answer: use.id });
    },
  };
}

/**
 * A valid chat up to its answer. A request that is refused before the debit costs nothing (LIM-4). A client that leaves does
 * not stop the model: the completion is debited, and its answer kept for its key.
 */
async function completeChat(
  exchange: Exchange,
  caller: Caller,
  chat: AcceptedChat,
  idempotencyKey: string | undefined,
): Promise<Answer> {
  const { idempotency, world } = exchange.service;
  const claim = idempotency.claim(caller.workspace, idempotencyKey, exchange.identity.bodyDigest);
  if (claim !== null && claim.completion !== null) {
    // The same answer, byte by byte, as was given first.
    const answer = answerWith(world.choices, claim.completion);
    return { ...answer, headers: [...answer.headers, 'idempotency-replayed', 'true'] };
  }
  const admitted = admit(exchange, caller, { chat, claim, idempotencyKey });
  let answer: Answer;
  try {
    await exchange.phase('after-reservation');
    await exchange.phase('during-generation');
    answer = await finish(admitted);
  } catch (end) {
    if (end instanceof Lost) lose(admitted, end.outcome);
    else release(admitted);
    throw end;
  }
  await exchange.phase('after-debit');
  return answer;
}

/** A chat whose credits are reserved, and what the model makes of it. */
interface AdmittedChat {
  readonly exchange: Exchange;
  readonly claim: Claim;
  readonly entry: LedgerEntry;
  readonly completion: Completion;
  readonly generation: Generation;
}

/** Takes a slot of the caller and reserves the worst case: the whole input and all of the allowed output. */
function admit(
  exchange: Exchange,
  caller: Caller,
  valid: { readonly chat: AcceptedChat; readonly claim: Claim; readonly idempotencyKey: string | undefined },
): AdmittedChat {
  const { service, requestId, identity, record } = exchange;
  const { claim, idempotencyKey = null } = valid;
  try {
    takeSlot(exchange, caller);
    const { chosen, take } = chooseAnswer(exchange);
    if (chosen === undefined && service.world.unanswered === 'refuse') throw new ServiceError('unanswered');
    const chat = chosen === undefined ? valid.chat : withAnswer(valid.chat, chosen);
    const reserved = costOf(chat, chat.allowedTokens);
    const { workspace } = caller;
    const entry = service.ledger.reserve({ requestId, workspace, idempotencyKey, reserved });
    take();
    record?.learnt({ ledger: entry.changes });
    const { digest, word } = identity;
    const completion = { ...chat, digest, word, created: Math.floor(service.time.now() / 1000) };
    return { exchange, claim, entry, completion, generation: generationOf(completion) };
  } catch (error) {
    service.idempotency.abandon(claim);
    throw error;
  }
}

/** Throws `rate_limit` (ERR-5). */
function takeSlot(exchange: Exchange, caller: Caller): void {
  if (caller.inFlight >= caller.concurrency)
    throw new ServiceError('rate_limit', {
      detail: `The key ${caller.name} has a limit of ${caller.concurrency} concurrent completions`,
      headers: ['retry-after', String(exchange.service.world.limits.retryAfterSeconds)],
    });
  caller.inFlight += 1;
  exchange.hold(() => (caller.inFlight -= 1));
}

/** Waits for the model, debits and keeps the answer. Writes it before the debit: one that cannot be written costs nothing. */
async function finish(admitted: AdmittedChat): Promise<Answer> {
  const { exchange, claim, entry, completion, generation } = admitted;
  const { world, ledger, idempotency } = exchange.service;
  await modelTime(admitted);
  assertEmittable(completion, generation);
  const answer = answerWith(world.choices, completion, generation);
  ledger.succeed(entry, costOf(completion, generation.tokens), workOf(completion, generation));
  idempotency.settle(claim, completion);
  exchange.record?.learnt({ ledger: entry.changes });
  return answer;
}

function modelTime({ exchange, completion, generation }: AdmittedChat): Promise<void> | undefined {
  const { latency, delays } = exchange.service;
  const { tokens } = generation;
  const ms = modelMs(completion, tokens) + latency.perCompletion;
  return delays.wait(completion.chosen?.latency ?? ms);
}

/** Throws for a completion that must not be sent (STR-3). Called before anything is sent. */
function assertEmittable({ allowedTokens, chosen }: Completion, { text, tokens }: Generation): void {
  if (chosen?.unchecked === true) return;
  if (text === '' && allowedTokens > 0) throw new Error('The completion is empty');
  if (tokens > allowedTokens)
    throw new Error(`The completion has ${tokens} tokens, and ${allowedTokens} are allowed`);
}

/** What becomes of a chat whose answer is lost while its reservation is held: it is under review, or goes on alone. */
function lose(admitted: AdmittedChat, outcome: Outcome): void {
  if (outcome === 'review') return review(admitted);
  const { requestId, service } = admitted.exchange;
  const end = async (): Promise<void> => {
    try {
      await (outcome === 'completes' ? finish : modelTime)(admitted);
    } finally {
      release(admitted);
    }
  };
  end().catch((error: unknown) => service.log(`${requestId} failed: ${traceOf(error)}`));
}

/** Releases the reservation and the Idempotency-Key, unless the chat has ended before. */
function release({ exchange, claim, entry }: AdmittedChat): void {
  if (entry.state !== 'running') return;
  exchange.service.ledger.fail(entry);
  exchange.service.idempotency.abandon(claim);
  exchange.record?.learnt({ ledger: entry.changes });
}

/**
 * Puts a chat under review (ERR-8). Until the workspace resolves it, its reservation stays, and its Idempotency-Key is
 * neither free nor replayed. When it is resolved as completed, its completion is debited, and a repeat of its key gets
 * the lost answer; as failed, its key is free.
 */
function review({ exchange, claim, entry, completion, generation }: AdmittedChat): void {
  const { idempotency, ledger } = exchange.service;
  // Does not hold on to the exchange: its connection may end long before.
  const { record } = exchange;
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') idempotency.abandon(claim);
    else idempotency.settle(claim, completion);
    record?.learnt({ ledger: entry.changes });
  };
  ledger.review(entry, costOf(completion, generation.tokens), resolved, workOf(completion, generation));
  idempotency.suspend(claim);
  record?.learnt({ ledger: entry.changes });
}
