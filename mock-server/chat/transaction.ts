import type { Outcome } from '../faults/fault.ts';
import { type Answer, jsonAnswer, type ReceivedRequest } from '../protocol/answer.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { LedgerEntry, Resolution } from '../workspace/ledger.ts';
import type { Caller } from '../world/caller.ts';
import { type AcceptedChat, acceptChat, cost, generationMs } from './accept-chat.ts';
import { chooseAnswer, withAnswer } from './chosen-answer.ts';
import { answerWith, type Completion, generationOf, workOf } from './completion.ts';
import { authenticate, listModels, route, visionCapabilities } from './endpoints.ts';
import { type Exchange, Lost } from './exchange.ts';
import type { Generation } from './generate.ts';
import type { Claim } from './idempotency-store.ts';
import type { Service } from './service.ts';

/** A request from its path to its answer: path and method first, then the key, then its endpoint. `request`: as the service reads it. */
export async function answerRequest(
  service: Service,
  exchange: Exchange,
  request: ReceivedRequest,
): Promise<Answer> {
  const { header, models } = service.world.choices.faults;
  const asked = header === 'allow' ? request.fault : undefined;
  // Loaded only where a request can ask for a fault: its schema costs start-up time.
  const compiler =
    asked !== undefined || models === 'allow' ? await import('../faults/compile-faults.ts') : undefined;
  const endpoint = route(request.method, request.url);
  exchange.learns({ endpoint });
  if (asked !== undefined) exchange.asksFor('header', compiler?.faultOfHeader(asked, endpoint));
  await exchange.phase('before-authentication');
  const caller = authenticate(service.callers, request.authorization);
  exchange.learns({ key: caller.name });
  if (endpoint !== 'chat') return answerList(service, exchange, endpoint, caller);
  const { sent, chat } = acceptChat(
    service.world,
    caller,
    request,
    (model) => models === 'allow' && exchange.asksFor('model', compiler?.faultOfModel(model)),
  );
  exchange.learns({ model: chat.modelId, stream: chat.stream, sent });
  await exchange.phase('after-validation');
  return completeChat(service, exchange, caller, { chat, request });
}

/** The models of a key, or its vision capabilities, or what a rule says in their place. */
async function answerList(
  service: Service,
  exchange: Exchange,
  endpoint: 'models' | 'vision',
  caller: Caller,
): Promise<Answer> {
  await exchange.phase('after-validation');
  const { models, vision } = service.world.choices;
  const body = endpoint === 'models' ? listModels(caller, models) : visionCapabilities(caller, vision);
  const answer = jsonAnswer(exchange.requestId, body);
  const { chosen = {}, take } = chooseAnswer(service, exchange);
  take();
  await service.delays.wait(chosen.latency ?? 0);
  return {
    ...answer,
    body: chosen.text ?? answer.body,
    headers: Object.entries(chosen.headers ?? {}).flat(),
  };
}

/** A chat that is valid. */
interface ValidChat {
  readonly chat: AcceptedChat;
  readonly request: ReceivedRequest;
}

/**
 * A valid chat up to its answer. A request that is refused before the debit costs nothing (LIM-4). A client that leaves does
 * not stop the model: the completion is debited, and its answer kept for its key.
 */
async function completeChat(
  service: Service,
  exchange: Exchange,
  caller: Caller,
  valid: ValidChat,
): Promise<Answer> {
  const { idempotencyKey } = valid.request;
  const claim = service.idempotency.claim(caller.workspace, idempotencyKey, exchange.identity.bodyDigest);
  if (claim !== null && claim.completion !== null) return answerAgain(service, claim.completion);
  const admitted = admit(service, exchange, caller, { ...valid, claim });
  let answer: Answer;
  try {
    await exchange.phase('after-reservation');
    await exchange.phase('during-generation');
    answer = await finish(service, admitted);
  } catch (end) {
    if (end instanceof Lost) lose(service, admitted, end.outcome);
    else release(service, admitted);
    throw end;
  }
  await exchange.phase('after-debit');
  return answer;
}

/** The same answer, byte by byte, as was given first. */
function answerAgain({ world: { choices } }: Service, completion: Completion): Answer {
  const answer = answerWith(choices, completion);
  return { ...answer, headers: [...answer.headers, 'idempotency-replayed', 'true'] };
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
  service: Service,
  exchange: Exchange,
  caller: Caller,
  { chat, claim, request }: ValidChat & { readonly claim: Claim },
): AdmittedChat {
  const { requestId, identity, record } = exchange;
  const { workspace } = caller;
  try {
    takeSlot(service, exchange, caller);
    const { chosen, take } = chooseAnswer(service, exchange);
    const answered = withAnswer(service, exchange, chat, chosen);
    const reserved = cost(answered, answered.allowedTokens);
    const { idempotencyKey = null } = request;
    const entry = service.ledger.reserve({ requestId, workspace, idempotencyKey, reserved });
    take();
    record?.learnt({ ledger: entry.changes });
    const { digest, word } = identity;
    const completion = { ...answered, digest, word, created: Math.floor(service.time.now() / 1000) };
    return { exchange, claim, entry, completion, generation: generationOf(completion) };
  } catch (error) {
    service.idempotency.abandon(claim);
    throw error;
  }
}

/** Throws `rate_limit` (ERR-5). */
function takeSlot({ world }: Service, exchange: Exchange, caller: Caller): void {
  if (caller.inFlight >= caller.concurrency)
    throw new ServiceError('rate_limit', {
      detail: `The key ${caller.name} has a limit of ${caller.concurrency} completions at once`,
      headers: ['retry-after', String(world.limits.retryAfterSeconds)],
    });
  caller.inFlight += 1;
  exchange.hold(() => (caller.inFlight -= 1));
}

/** Waits for the model, debits and keeps the answer. Writes it before the debit: one that cannot be written costs nothing. */
async function finish(service: Service, admitted: AdmittedChat): Promise<Answer> {
  const { exchange, claim, entry, completion, generation } = admitted;
  await modelTime(service, admitted);
  assertEmittable(completion, generation);
  const answer = answerWith(service.world.choices, completion, generation);
  service.ledger.succeed(entry, cost(completion, generation.tokens), workOf(completion, generation));
  service.idempotency.settle(claim, completion);
  exchange.record?.learnt({ ledger: entry.changes });
  return answer;
}

/** Takes the time of the model. */
function modelTime(
  { latency, delays }: Service,
  { completion, generation: { tokens } }: AdmittedChat,
): Promise<void> {
  const ms = generationMs(completion, tokens) + latency.perCompletion + latency.perToken * tokens;
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
function lose(service: Service, admitted: AdmittedChat, outcome: Outcome): void {
  if (outcome === 'review') return review(service, admitted);
  const end: Promise<unknown> = (outcome === 'completes' ? finish : modelTime)(service, admitted);
  end
    .finally(() => release(service, admitted))
    .catch((error: unknown) => service.log(`${admitted.exchange.requestId} failed: ${traceOf(error)}`));
}

/** Releases the reservation and the Idempotency-Key, unless the chat has ended before. */
function release(service: Service, { exchange, claim, entry }: AdmittedChat): void {
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
function review({ idempotency, ledger }: Service, admitted: AdmittedChat): void {
  const { claim, entry, completion, generation } = admitted;
  const { record } = admitted.exchange;
  // Does not hold on to the exchange: its connection may end long before.
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') idempotency.abandon(claim);
    else idempotency.settle(claim, completion);
    record?.learnt({ ledger: entry.changes });
  };
  ledger.review(entry, cost(completion, generation.tokens), resolved, workOf(completion, generation));
  idempotency.suspend(claim);
}
