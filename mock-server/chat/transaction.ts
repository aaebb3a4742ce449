import type { Exchange } from '../exchange/exchange.ts';
import { runPhase } from '../exchange/run-phase.ts';
import type { Outcome } from '../faults/fault.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Delays, QuietPeriodBatcher } from '../time/delays.ts';
import type { Caller } from '../world/caller.ts';
import { type AcceptedChat, acceptChat, cost, generationMs } from './accept-chat.ts';
import {
  admitChat,
  type AdmittedChat,
  type ChatService,
  failChat,
  recordLedgerChange,
  reviewChat,
} from './admitted-chat.ts';
import {
  answerAgain,
  answerWith,
  assertEmittable,
  completeChat,
  type Completion,
  keptCompletion,
  workOf,
} from './completion.ts';

export interface TransactionService extends ChatService {
  readonly seed: number;
  readonly delays: Delays;
  /** Where completions wait until no further one arrives; undefined: they do not wait for each other. */
  readonly batcher: QuietPeriodBatcher | undefined;
  /** Milliseconds beyond what the model itself takes. */
  readonly latency: Latency;
}

interface Latency {
  readonly perCompletion: number;
  readonly perToken: number;
}

/**
 * A completion from its body to its answer: validate, claim the Idempotency-Key, admit, reserve, generate, debit,
 * reply. Runs in one go where the model takes no time. A request that is refused before the debit costs nothing
 * (LIM-4). A client that leaves does not stop the model: the completion is debited, and its answer kept for its key.
 */
export function transact(service: TransactionService, caller: Caller, exchange: Exchange): void {
  const { faults, request } = exchange;
  const chat = acceptChat(service.world, caller, request, (model) => faults.requestByModel(model));
  faults.accepted(chat.modelId, chat.stream, () => JSON.parse(request.body?.toString() ?? ''));
  runPhase(service, 'after-validation', { exchange, caller, chat }, claim);
}

interface ValidChat {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly chat: AcceptedChat;
}

function claim(service: TransactionService, { exchange, caller, chat }: ValidChat): void {
  const { request, identity } = exchange;
  const claimed = service.idempotency.claim(caller.workspace, request.idempotencyKey, identity.bodyDigest);
  if (claimed.kind === 'replay') exchange.reply(replay(answerAgain(service, claimed.completion)));
  else run(service, admitChat(service, caller, { exchange, chat, claim: claimed }));
}

const REPLAYED: readonly string[] = ['idempotency-replayed', 'true'];

function replay(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...REPLAYED] };
}

type AdmittedStep = (service: TransactionService, admitted: AdmittedChat) => void;

/** A phase while the reservation is held. If the answer is lost, the chat runs on, or goes under review. */
function whileReserved(phase: 'after-reservation' | 'during-generation', next: AdmittedStep): AdmittedStep {
  const proceed: AdmittedStep = (service, admitted) => guard(service, admitted, next);
  const lost = (service: TransactionService, admitted: AdmittedChat, outcome: Outcome): void => {
    if (outcome === 'review') reviewChat(service, admitted);
    else next(service, { ...admitted, fails: outcome === 'fails' });
  };
  const pass: AdmittedStep = (service, admitted) => runPhase(service, phase, admitted, proceed, lost);
  return (service, admitted) => guard(service, admitted, pass);
}

const run = whileReserved('after-reservation', whileReserved('during-generation', generate));

function generate(service: TransactionService, admitted: AdmittedChat): void {
  const completion = completeChat(service, admitted.chat, admitted.exchange.identity);
  (service.batcher ?? service.delays).afterArrivals(wait(service, admitted.chat, completion), () =>
    guard(service, { ...admitted, completion }, finish),
  );
}

function wait({ latency }: TransactionService, chat: AcceptedChat, { tokens }: Completion): number {
  if (chat.chosen?.latency !== undefined) return chat.chosen.latency;
  return generationMs(chat, tokens) + latency.perCompletion + latency.perToken * tokens;
}

interface CompletedChat extends AdmittedChat {
  readonly completion: Completion;
}

/** Writes the answer before the debit, so that an answer that cannot be written costs nothing. */
function finish(service: TransactionService, completed: CompletedChat): void {
  const { exchange, chat, entry, completion } = completed;
  if (completed.fails) {
    failChat(service, completed);
    return;
  }
  assertEmittable(completion, chat.allowedTokens);
  const answer = answerWith(service, chat, exchange.identity.requestId, completion);
  service.ledger.succeed(entry, cost(chat, completion.tokens), workOf(completion));
  service.idempotency.settle(completed.claim, keptCompletion(chat, exchange.identity, completion));
  recordLedgerChange(service, exchange, entry);
  runPhase(service, 'after-debit', { exchange, answer }, reply);
}

function reply(_: TransactionService, { exchange, answer }: { exchange: Exchange; answer: Answer }): void {
  exchange.reply(answer);
}

function guard<Admitted extends AdmittedChat>(
  service: TransactionService,
  admitted: Admitted,
  step: (service: TransactionService, admitted: Admitted) => void,
): void {
  try {
    step(service, admitted);
  } catch (error) {
    try {
      failChat(service, admitted);
    } finally {
      // Whatever the ledger does, the caller is answered.
      admitted.exchange.refuse(error);
    }
  }
}
