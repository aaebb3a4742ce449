import { type Exchange, Lost } from '../exchange/exchange.ts';
import type { Answer } from '../protocol/answer.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import type { Delays } from '../time/delays.ts';
import type { Ledger, Reservation, Resolution } from '../workspace/ledger.ts';
import type { Caller } from '../world/caller.ts';
import { type AcceptedChat, acceptChat, cost, generationMs } from './accept-chat.ts';
import { type AnswerService, chatWithChoice } from './chosen-answer.ts';
import { answerWith, type Completion, completionOf, generationOf, workOf } from './completion.ts';
import type { Generation } from './generate.ts';
import type { Claim, IdempotencyStore } from './idempotency-store.ts';

export interface ChatService extends AnswerService {
  readonly seed: number;
  readonly clock: Clock;
  readonly delays: Delays;
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
  caller: Caller,
  exchange: Exchange,
): Promise<Answer> {
  const { request, identity, faults } = exchange;
  const accepted = acceptChat(service.world, caller, request, (model) => faults.requestByModel(model));
  faults.accepted(accepted.modelId, accepted.stream, accepted.sent);
  await exchange.phase('after-validation');
  const claim = service.idempotency.claim(caller.workspace, request.idempotencyKey, identity.bodyDigest);
  if (claim.kind === 'replay') return answerAgain(service, claim.completion);
  const admitted = admit(service, caller, { exchange, claim, chat: accepted });
  try {
    await exchange.phase('after-reservation');
    await exchange.phase('during-generation');
  } catch (end) {
    leave(service, admitted, end);
    throw end;
  }
  const answer = await finish(service, admitted);
  await exchange.phase('after-debit');
  return answer;
}

/** The same answer, byte by byte, as was given first. */
function answerAgain({ world }: ChatService, completion: Completion): Answer {
  const answer = answerWith(world.choices, completion, generationOf(completion));
  return { ...answer, headers: [...answer.headers, 'idempotency-replayed', 'true'] };
}

/** A chat whose credits are reserved: holds what it gives back if it fails. */
interface AdmittedChat {
  readonly exchange: Exchange;
  readonly claim: Claim;
  readonly chat: AcceptedChat;
  readonly entry: Reservation;
}

/** Takes a slot of the caller and reserves the worst case: the whole input and all of the allowed output. */
function admit(
  service: ChatService,
  caller: Caller,
  { exchange, claim, chat: accepted }: Omit<AdmittedChat, 'entry'>,
): AdmittedChat {
  const { ledger, world } = service;
  try {
    exchange.hold(takeSlot(caller, world.limits.retryAfterSeconds));
    const { chat, take } = chatWithChoice(service, exchange, accepted);
    const entry = ledger.reserve({
      requestId: exchange.identity.requestId,
      workspace: caller.workspace,
      idempotencyKey: exchange.request.idempotencyKey ?? null,
      reserved: cost(chat, chat.allowedTokens),
    });
    take();
    exchange.faults.booked(entry.changes);
    return { exchange, claim, chat, entry };
  } catch (error) {
    service.idempotency.abandon(claim);
    throw error;
  }
}

/** Throws `rate_limit` (ERR-5). Call the returned function once, to give the slot back. */
function takeSlot(caller: Caller, retryAfterSeconds: number): () => void {
  if (caller.inFlight >= caller.concurrency) {
    throw new ServiceError('rate_limit', {
      detail: `The key ${caller.name} has a limit of ${caller.concurrency} completions at once`,
      headers: ['retry-after', String(retryAfterSeconds)],
    });
  }
  caller.inFlight += 1;
  return () => {
    caller.inFlight -= 1;
  };
}

interface Completed {
  readonly completion: Completion;
  readonly generation: Generation;
}

function generated({ clock }: ChatService, { chat, exchange }: AdmittedChat): Completed {
  const completion = completionOf(chat, exchange.identity, clock());
  return { completion, generation: generationOf(completion) };
}

/** Takes the time of the model. */
async function generate(service: ChatService, admitted: AdmittedChat): Promise<Completed> {
  const { latency, delays } = service;
  const { chat } = admitted;
  const completed = generated(service, admitted);
  const { tokens } = completed.generation;
  const ms = generationMs(chat, tokens) + latency.perCompletion + latency.perToken * tokens;
  await delays.wait(chat.chosen?.latency ?? ms);
  return completed;
}

/** Generates, debits and keeps the answer. Writes it before the debit, so that one that cannot be written costs nothing. */
async function finish(service: ChatService, admitted: AdmittedChat): Promise<Answer> {
  const { exchange, chat, claim, entry } = admitted;
  try {
    const { completion, generation } = await generate(service, admitted);
    assertEmittable(completion, generation);
    const answer = answerWith(service.world.choices, completion, generation);
    service.ledger.succeed(entry, cost(chat, generation.tokens), workOf(completion, generation));
    service.idempotency.settle(claim, completion);
    exchange.faults.booked(entry.changes);
    return answer;
  } catch (error) {
    release(service, admitted);
    throw error;
  }
}

/** Throws for a completion that must not be sent (STR-3). Called before anything is sent. */
function assertEmittable(
  { allowedTokens, chosen }: Pick<Completion, 'allowedTokens' | 'chosen'>,
  { text, tokens }: Generation,
): void {
  if (chosen?.unchecked === true) return;
  if (text === '' && allowedTokens > 0) throw new Error('The completion is empty');
  if (tokens > allowedTokens)
    throw new Error(`The completion has ${tokens} tokens, and ${allowedTokens} are allowed`);
}

/** What becomes of a chat that is refused, or whose answer is lost, while its reservation is held. */
function leave(service: ChatService, admitted: AdmittedChat, end: unknown): void {
  if (!(end instanceof Lost)) return release(service, admitted);
  const { outcome } = end.loss;
  if (outcome === 'review') return review(service, admitted);
  // The model goes on without its caller.
  const alone =
    outcome === 'completes'
      ? finish(service, admitted)
      : generate(service, admitted).then(() => release(service, admitted));
  alone.catch((error: unknown) => {
    service.log(`${admitted.entry.requestId} failed: ${traceOf(error)}`);
  });
}

/** Releases the reservation and the Idempotency-Key, unless the chat has ended before. */
function release(service: ChatService, { exchange, claim, entry }: AdmittedChat): void {
  if (entry.state !== 'running') return;
  service.ledger.fail(entry);
  service.idempotency.abandon(claim);
  exchange.faults.booked(entry.changes);
}

/**
 * Puts a chat under review (ERR-8). Until the workspace resolves it, its reservation stays, and its Idempotency-Key is
 * neither free nor replayed. When it is resolved as completed, its completion is debited, and a repeat of its key gets
 * the lost answer; as failed, its key is free.
 */
function review(service: ChatService, admitted: AdmittedChat): void {
  const { chat, claim, entry } = admitted;
  const { faults } = admitted.exchange;
  const { completion, generation } = generated(service, admitted);
  // Does not hold on to the exchange: its connection may end long before.
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') service.idempotency.abandon(claim);
    else service.idempotency.settle(claim, completion);
    faults.booked(entry.changes);
  };
  service.ledger.review(entry, cost(chat, generation.tokens), resolved, workOf(completion, generation));
  service.idempotency.suspend(claim);
}
