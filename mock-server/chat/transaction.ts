import { admit, failChat, type AdmittedChat, recordLedgerChange, reviewChat } from './admitted-chat.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Caller } from '../world/caller.ts';
import { answerWith, completeChat, assertEmittable, workOf, type Completion } from './completion.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { runPhase } from '../exchange/run-phase.ts';
import type { Outcome } from '../faults/fault.ts';
import { cost, duration, type AcceptedChat, acceptChat } from './accept-chat.ts';
import type { Service } from '../sandboxes/service.ts';

/** Phases at which a reservation is held. */
type HeldPhase = 'after-reservation' | 'during-generation';

const REPLAYED: readonly string[] = ['idempotency-replayed', 'true'];

/**
 * A completion from its body to its answer: validate, claim the Idempotency-Key, admit, reserve, generate, debit,
 * reply. All at once where the model takes no time. What is refused before the debit costs nothing (LIM-4). A client
 * that goes away meanwhile does not stop the model: the completion is debited, and its answer kept for its key.
 */
export function transact(service: Service, caller: Caller, exchange: Exchange): void {
  const chat = acceptChat(service.world, caller, exchange.request);
  exchange.faults?.accepted(chat);
  runPhase(service, 'after-validation', { exchange, caller, chat }, claim);
}

/** A request that keeps the rules, before anything is kept for it. */
interface Claimant {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly chat: AcceptedChat;
}

function claim(service: Service, { exchange, caller, chat }: Claimant): void {
  const { request, identity } = exchange;
  const claimed = service.idempotency.claim(caller.workspace, request.idempotencyKey, identity.bodyDigest);
  if (claimed.kind === 'replay') exchange.reply(replay(claimed.answer));
  else run(service, start(service, caller, { exchange, chat, claim: claimed }));
}

function replay(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...REPLAYED] };
}

/** Admits and reserves. The worst case is the whole input and all of the output allowed. */
function start(
  service: Service,
  caller: Caller,
  admitted: Omit<AdmittedChat, 'entry' | 'fails'>,
): AdmittedChat {
  const { exchange, chat, claim: claimed } = admitted;
  try {
    exchange.hold(admit(caller, service.world.limits.retryAfterSeconds));
    const entry = service.ledger.reserve({
      requestId: exchange.identity.requestId,
      workspace: caller.workspace,
      idempotencyKey: exchange.request.idempotencyKey ?? null,
      reserved: cost(chat, chat.allowedTokens),
    });
    recordLedgerChange(service, exchange.faults, entry);
    return { exchange, chat, claim: claimed, entry, fails: false };
  } catch (error) {
    service.idempotency.abandon(claimed);
    throw error;
  }
}

type JobStep = (service: Service, admitted: AdmittedChat) => void;

/** A phase while the reservation is held. Where the answer is lost, the request goes on unheard or under review. */
function held(phase: HeldPhase, next: JobStep): JobStep {
  const proceed: JobStep = (service, admitted) => guard(service, admitted, next);
  const lost = (service: Service, admitted: AdmittedChat, outcome: Outcome): void => {
    if (outcome === 'review') reviewChat(service, admitted);
    else next(service, { ...admitted, fails: outcome === 'fails' });
  };
  const pass: JobStep = (service, admitted) => runPhase(service, phase, admitted, proceed, lost);
  return (service, admitted) => guard(service, admitted, pass);
}

const run = held('after-reservation', held('during-generation', generate));

function generate(service: Service, admitted: AdmittedChat): void {
  const completion = completeChat(service, admitted.chat, admitted.exchange.identity);
  (service.batcher ?? service.delays).after(wait(service, admitted.chat, completion), () =>
    guard(service, { ...admitted, completion }, finish),
  );
}

/** The answer is whole before the debit, so that what cannot be spelt costs nothing. */
function finish(service: Service, admitted: Completed): void {
  const { exchange, chat, entry, completion } = admitted;
  if (admitted.fails) {
    failChat(service, admitted);
    return;
  }
  assertEmittable(completion, chat.allowedTokens);
  const answer = answerWith(service, chat, exchange.identity.requestId, completion);
  service.ledger.succeed(entry, cost(chat, completion.tokens), workOf(completion));
  service.idempotency.settle(admitted.claim, answer);
  recordLedgerChange(service, exchange.faults, entry);
  runPhase(service, 'after-debit', { exchange, answer }, reply);
}

interface Completed extends AdmittedChat {
  readonly completion: Completion;
}

interface Answered {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

function reply(_: Service, { exchange, answer }: Answered): void {
  exchange.reply(answer);
}

function guard<Held extends AdmittedChat>(
  service: Service,
  admitted: Held,
  step: (service: Service, admitted: Held) => void,
): void {
  try {
    step(service, admitted);
  } catch (error) {
    failChat(service, admitted);
    admitted.exchange.refuse(error);
  }
}

function wait(service: Service, chat: AcceptedChat, { tokens }: Completion): number {
  const { perCompletion, perToken } = service.latency;
  return duration(chat, tokens) + perCompletion + perToken * tokens;
}
