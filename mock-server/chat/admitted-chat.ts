import type { Exchange } from '../exchange/exchange.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Ledger, LedgerEntry, Resolution } from '../workspace/ledger.ts';
import type { Caller } from '../world/caller.ts';
import { type AcceptedChat, cost } from './accept-chat.ts';
import { type AnswerService, chatWithChoice } from './chosen-answer.ts';
import { completeChat, type CompletionService, keptCompletion, workOf } from './completion.ts';
import type { Claim, IdempotencyStore } from './idempotency-store.ts';

export interface ChatService extends CompletionService, AnswerService {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
}

/** A chat from its admission to its end: holds what it gives back if it fails. */
export interface AdmittedChat {
  readonly exchange: Exchange;
  readonly chat: AcceptedChat;
  readonly claim: Claim;
  readonly entry: LedgerEntry;
  /** Whether the model will fail, after the answer has been lost. */
  readonly fails: boolean;
}

/** Takes a slot of the caller and reserves the worst case: the whole input and all of the allowed output. */
export function admitChat(
  service: ChatService,
  caller: Caller,
  { exchange, chat: accepted, claim }: Pick<AdmittedChat, 'exchange' | 'chat' | 'claim'>,
): AdmittedChat {
  try {
    exchange.hold(takeSlot(caller, service.world.limits.retryAfterSeconds));
    const { chat, take } = chatWithChoice(service, exchange, accepted);
    const entry = service.ledger.reserve({
      requestId: exchange.identity.requestId,
      workspace: caller.workspace,
      idempotencyKey: exchange.request.idempotencyKey ?? null,
      reserved: cost(chat, chat.allowedTokens),
    });
    take();
    recordLedgerChange(service, exchange, entry);
    return { exchange, chat, claim, entry, fails: false };
  } catch (error) {
    service.idempotency.abandon(claim);
    throw error;
  }
}

/** Throws `rate_limit` (ERR-5). Call the returned function once, to give the slot back. */
function takeSlot(caller: Caller, retryAfterSeconds: number): () => void {
  if (caller.inFlight >= caller.concurrency) {
    throw new ServiceError('rate_limit', { headers: ['retry-after', String(retryAfterSeconds)] });
  }
  caller.inFlight += 1;
  return () => {
    caller.inFlight -= 1;
  };
}

/** Releases the reservation and the Idempotency-Key, unless the chat has ended before. */
export function failChat(service: ChatService, { exchange, entry, claim }: AdmittedChat): void {
  if (entry.state !== 'running') return;
  service.ledger.fail(entry);
  service.idempotency.abandon(claim);
  recordLedgerChange(service, exchange, entry);
}

/**
 * Puts a chat under review (ERR-8). Until the workspace resolves it, its reservation stays, and its Idempotency-Key is
 * neither free nor replayed. When it is resolved as completed, its completion is debited, and a repeat of its key gets
 * the lost answer; as failed, its key is free.
 */
export function reviewChat(service: ChatService, { chat, exchange, entry, claim }: AdmittedChat): void {
  const { faults, identity } = exchange;
  const { ledger, idempotency } = service;
  const complete = (): ReturnType<typeof completeChat> => completeChat(service, chat, identity);
  const completion = complete();
  // Does not hold on to the exchange: its connection may end long before.
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') idempotency.abandon(claim);
    else idempotency.settle(claim, keptCompletion(chat, identity, complete()));
    recordLedgerChange(service, { faults }, entry);
  };
  ledger.review(entry, cost(chat, completion.tokens), resolved, workOf(completion));
  idempotency.suspend(claim);
  recordLedgerChange(service, { faults }, entry);
}

/** Adds the ledger's last change of an entry to the journal, if there is one. */
export function recordLedgerChange(
  { ledger }: Pick<ChatService, 'ledger'>,
  { faults }: Pick<Exchange, 'faults'>,
  entry: LedgerEntry,
): void {
  faults.recordLedgerChange(() => ledger.latest(entry));
}
