import { type Exchange, type ExchangeService, Lost } from '../exchange/exchange.ts';
import type { Outcome } from '../faults/fault.ts';
import type { Answer, ReceivedRequest } from '../protocol/answer.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { Ledger, Reservation, Resolution } from '../workspace/ledger.ts';
import type { Caller } from '../world/caller.ts';
import type { World } from '../world/world-schema.ts';
import { type AcceptedChat, acceptChat, cost, generationMs } from './accept-chat.ts';
import { type AnswerService, chatWithChoice } from './chosen-answer.ts';
import { answerWith, type Completion, completionOf, generationOf, workOf } from './completion.ts';
import type { Generation } from './generate.ts';
import type { Claim, IdempotencyStore } from './idempotency-store.ts';

export interface ChatService extends AnswerService, ExchangeService {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly latency: Latency;
  readonly log: (line: string) => void;
}

/** Milliseconds beyond what the model itself takes. */
interface Latency {
  /** Before a chat is looked at, whether it is refused or served. */
  readonly perRequest: number;
  readonly perCompletion: number;
  readonly perToken: number;
}

/**
 * A chat from its body to its answer. A request that is refused before the debit costs nothing (LIM-4). A client that
 * leaves does not stop the model: the completion is debited, and its answer kept for its key.
 */
export async function completeChat(
  service: ChatService,
  exchange: Exchange,
  caller: Caller,
  request: ReceivedRequest,
): Promise<Answer> {
  const accepted = acceptChat(service.world, caller, request, (model) =>
    exchange.asksFor('model', exchange.compiler?.faultOfModel(model)),
  );
  exchange.learns({ model: accepted.modelId, stream: accepted.stream, sent: accepted.sent });
  await exchange.phase('after-validation');
  const { bodyDigest } = exchange.identity;
  const claim = service.idempotency.claim(caller.workspace, request.idempotencyKey, bodyDigest);
  if (claim !== null && claim.completion !== null) return answerAgain(service.world, claim.completion);
  const chat = admit(service, exchange, caller, { accepted, claim, request });
  try {
    await exchange.phase('after-reservation');
    await exchange.phase('during-generation');
  } catch (end) {
    if (end instanceof Lost) lose(service, chat, end.loss.outcome);
    else release(service, chat);
    throw end;
  }
  const answer = await finish(service, chat);
  await exchange.phase('after-debit');
  return answer;
}

/** The same answer, byte by byte, as was given first. */
function answerAgain({ choices }: World, completion: Completion): Answer {
  const answer = answerWith(choices, completion);
  return { ...answer, headers: [...answer.headers, 'idempotency-replayed', 'true'] };
}

/** A chat that has passed every check. */
interface Admissible {
  readonly accepted: AcceptedChat;
  readonly claim: Claim;
  readonly request: ReceivedRequest;
}

/** A chat whose credits are reserved, and what the model makes of it. */
interface AdmittedChat {
  readonly exchange: Exchange;
  readonly claim: Claim;
  readonly chat: AcceptedChat;
  readonly entry: Reservation;
  readonly completion: Completion;
  readonly generation: Generation;
}

/** Takes a slot of the caller and reserves the worst case: the whole input and all of the allowed output. */
function admit(
  service: ChatService,
  exchange: Exchange,
  caller: Caller,
  { accepted, claim, request }: Admissible,
): AdmittedChat {
  const { requestId, identity, record } = exchange;
  const { workspace } = caller;
  try {
    takeSlot(service, exchange, caller);
    const { chat, take } = chatWithChoice(service, exchange, accepted);
    const reserved = cost(chat, chat.allowedTokens);
    const { idempotencyKey = null } = request;
    const entry = service.ledger.reserve({ requestId, workspace, idempotencyKey, reserved });
    take();
    record?.learnt({ ledger: entry.changes });
    const completion = completionOf(chat, identity, service.clock());
    return { exchange, claim, chat, entry, completion, generation: generationOf(completion) };
  } catch (error) {
    service.idempotency.abandon(claim);
    throw error;
  }
}

/** Throws `rate_limit` (ERR-5). */
function takeSlot({ world }: ChatService, exchange: Exchange, caller: Caller): void {
  if (caller.inFlight >= caller.concurrency)
    throw new ServiceError('rate_limit', {
      detail: `The key ${caller.name} has a limit of ${caller.concurrency} completions at once`,
      headers: ['retry-after', String(world.limits.retryAfterSeconds)],
    });
  caller.inFlight += 1;
  exchange.hold(() => (caller.inFlight -= 1));
}

/** Waits for the model, debits and keeps the answer. Writes it before the debit: one that cannot be written costs nothing. */
async function finish(service: ChatService, admitted: AdmittedChat): Promise<Answer> {
  const { exchange, chat, claim, entry, completion, generation } = admitted;
  try {
    await modelTime(service, admitted);
    assertEmittable(completion, generation);
    const answer = answerWith(service.world.choices, completion, generation);
    service.ledger.succeed(entry, cost(chat, generation.tokens), workOf(completion, generation));
    service.idempotency.settle(claim, completion);
    exchange.record?.learnt({ ledger: entry.changes });
    return answer;
  } catch (error) {
    release(service, admitted);
    throw error;
  }
}

/** Takes the time of the model. */
function modelTime({ latency, delays }: ChatService, { chat, generation }: AdmittedChat): Promise<void> {
  const { tokens } = generation;
  const ms = generationMs(chat, tokens) + latency.perCompletion + latency.perToken * tokens;
  return delays.wait(chat.chosen?.latency ?? ms);
}

/** Throws for a completion that must not be sent (STR-3). Called before anything is sent. */
function assertEmittable({ allowedTokens, chosen }: Completion, { text, tokens }: Generation): void {
  if (chosen?.unchecked === true) return;
  if (text === '' && allowedTokens > 0) throw new Error('The completion is empty');
  if (tokens > allowedTokens)
    throw new Error(`The completion has ${tokens} tokens, and ${allowedTokens} are allowed`);
}

/** What becomes of a chat whose answer is lost while its reservation is held: it is under review, or goes on alone. */
function lose(service: ChatService, admitted: AdmittedChat, outcome: Outcome): void {
  if (outcome === 'review') return review(service, admitted);
  const end = outcome === 'completes' ? finish : failLate;
  end(service, admitted).catch((error: unknown) => {
    service.log(`${admitted.entry.requestId} failed: ${traceOf(error)}`);
  });
}

async function failLate(service: ChatService, admitted: AdmittedChat): Promise<void> {
  await modelTime(service, admitted);
  release(service, admitted);
}

/** Releases the reservation and the Idempotency-Key, unless the chat has ended before. */
function release(service: ChatService, { exchange, claim, entry }: AdmittedChat): void {
  if (entry.state !== 'running') return;
  service.ledger.fail(entry);
  service.idempotency.abandon(claim);
  exchange.record?.learnt({ ledger: entry.changes });
}

/**
 * Puts a chat under review (ERR-8). Until the workspace resolves it, its reservation stays, and its Idempotency-Key is
 * neither free nor replayed. When it is resolved as completed, its completion is debited, and a repeat of its key gets
 * the lost answer; as failed, its key is free.
 */
function review({ idempotency, ledger }: ChatService, admitted: AdmittedChat): void {
  const { chat, claim, entry, completion, generation } = admitted;
  const { record } = admitted.exchange;
  // Does not hold on to the exchange: its connection may end long before.
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') idempotency.abandon(claim);
    else idempotency.settle(claim, completion);
    record?.learnt({ ledger: entry.changes });
  };
  ledger.review(entry, cost(chat, generation.tokens), resolved, workOf(completion, generation));
  idempotency.suspend(claim);
}
