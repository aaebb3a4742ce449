import type { CREDIT_DEFECTS } from './credit-defects.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { LedgerEntry } from '../workspace/ledger.ts';
import type { DefectHooks, DefectiveService } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, type Fields, isFields } from './fields.ts';
import { misbooks, misbooksSome } from './misbooks.ts';
import { chatOf, isChat, isStreamed } from './misreads.ts';
import { misspellsChoices, misspellsCompletions } from './misspells.ts';
import { misstreamsChunks } from './misstreams.ts';

const CREDITS = 40;
const CHEAPEST = 'compact-1';

/** Writes something for a refused chat that nothing ought to be written for. */
function books(
  isBooked: (error: unknown, request: ReceivedRequest) => boolean,
  book: (entry: LedgerEntry, service: DefectiveService) => void,
): DefectHooks {
  return {
    onRequest: (exchange, serve, service) => {
      try {
        serve(exchange);
      } catch (error) {
        if (isChat(exchange.request) && isBooked(error, exchange.request))
          book(reserved(exchange, service), service);
        throw error;
      }
    },
  };
}

function reserved({ identity, request }: Exchange, { ledger, world }: DefectiveService): LedgerEntry {
  return ledger.reserve({
    requestId: identity.requestId,
    workspace: world.keys[0]?.workspace ?? '',
    idempotencyKey: request.idempotencyKey ?? null,
    reserved: CREDITS,
  });
}

const debits = (isBooked: (error: unknown, request: ReceivedRequest) => boolean): DefectHooks =>
  books(isBooked, (entry, { ledger }) => ledger.succeed(entry, CREDITS));

const anyError = (): boolean => true;

function withMoreInput(body: Fields): Fields {
  return changing(body, 'usage', (usage) =>
    isFields(usage) ? { ...usage, prompt_tokens: Number(usage['prompt_tokens']) + 3 } : usage,
  );
}

/** Books such a success as a failure. */
const forgets = (isForgotten: (request: ReceivedRequest) => boolean): DefectHooks =>
  misbooksSome(isForgotten, (ledger) => ({ succeed: (entry) => ledger.fail(entry) }));

export const CREDIT_BREACHES: Breaches<typeof CREDIT_DEFECTS> = {
  'success-not-debited': () => misbooks((ledger) => ({ succeed: (entry) => ledger.fail(entry) })),
  'streams-not-debited': () => forgets(isStreamed),
  'other-models-not-debited': () => forgets((request) => chatOf(request)?.['model'] !== CHEAPEST),
  'success-debited-twice': () =>
    misbooks((ledger) => ({
      succeed: (entry, debit, work) => {
        ledger.succeed(entry, debit, work);
        ledger.succeed(ledger.reserve({ ...entry, requestId: `${entry.requestId}-2` }), debit, work);
      },
    })),
  'debit-of-nothing': () =>
    misbooks((ledger) => ({ succeed: (entry, _, work) => ledger.succeed(entry, 0, work) })),
  'debit-without-balance': () =>
    misbooks((ledger) => ({
      account: (workspace) => {
        const account = ledger.account(workspace);
        return account && { ...account, available: account.available + account.debited, debited: 0 };
      },
    })),
  'reservation-kept-after-success': () =>
    misbooks((ledger) => ({
      succeed: (entry, debit, work) => {
        ledger.succeed(entry, debit, work);
        ledger.reserve({ ...entry, requestId: `${entry.requestId}-2`, idempotencyKey: null });
      },
    })),
  'refusals-debited': () => debits(anyError),
  'refused-streams-debited': () => debits((_, request) => isStreamed(request)),
  'token-limit-debited': () =>
    debits((error) => error instanceof ServiceError && error.kind === 'token_limit'),
  'reservation-kept-after-refusal': () => books(anyError, () => {}),
  'usage-estimated': () => misspellsCompletions(withMoreInput),
  'stream-usage-estimated': () => misstreamsChunks(withMoreInput),
  'finish-reason-reworded': () => misspellsChoices((choice) => ({ ...choice, finish_reason: 'end_turn' })),
};
