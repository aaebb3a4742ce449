import type { CREDIT_DEFECTS } from '../../fixtures/defects/credit-defects.ts';
import type { Exchange } from '../exchange.ts';
import type { Service } from '../service.ts';
import { ServiceError } from '../service-error.ts';
import type { LedgerEntry } from '../workspace/ledger.ts';
import type { Breach } from './breach.ts';
import type { Breaches } from './breaches.ts';
import { changing, type Fields, isFields } from './fields.ts';
import { misbooks } from './misbooks.ts';
import { isChat, isStreamed } from './misreads.ts';
import { misspellsChoices, misspellsCompletions } from './misspells.ts';
import { misstreamsChunks } from './misstreams.ts';

const CREDITS = 40;

/** Writes something for a refused chat that nothing ought to be written for. */
function books(
  isBooked: (error: unknown) => boolean,
  book: (entry: LedgerEntry, service: Service) => void,
): Breach {
  return {
    hears: (exchange, serve, service) => {
      try {
        serve(exchange);
      } catch (error) {
        if (isChat(exchange.request) && isBooked(error)) book(reserved(exchange, service), service);
        throw error;
      }
    },
  };
}

function reserved({ identity, request }: Exchange, { ledger, world }: Service): LedgerEntry {
  return ledger.reserve({
    requestId: identity.requestId,
    workspace: world.keys[0]?.workspace ?? '',
    idempotencyKey: request.idempotencyKey ?? null,
    reserved: CREDITS,
  });
}

const debits = (isBooked: (error: unknown) => boolean): Breach =>
  books(isBooked, (entry, { ledger }) => ledger.succeed(entry, CREDITS));

const anyError = (): boolean => true;

function withMoreInput(body: Fields): Fields {
  return changing(body, 'usage', (usage) =>
    isFields(usage) ? { ...usage, prompt_tokens: Number(usage['prompt_tokens']) + 3 } : usage,
  );
}

/** Streams whose success is booked as a failure. */
function forgetsStreams(): Breach {
  const streamed = new Set<string>();
  return {
    ...misbooks((ledger) => ({
      succeed: (entry, debit, work) => {
        if (streamed.delete(entry.requestId)) ledger.fail(entry);
        else ledger.succeed(entry, debit, work);
      },
    })),
    hears: (exchange, serve) => {
      if (isStreamed(exchange.request)) streamed.add(exchange.identity.requestId);
      serve(exchange);
    },
  };
}

export const CREDIT_BREACHES: Breaches<typeof CREDIT_DEFECTS> = {
  'success-not-debited': () => misbooks((ledger) => ({ succeed: (entry) => ledger.fail(entry) })),
  'streams-not-debited': forgetsStreams,
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
  'token-limit-debited': () =>
    debits((error) => error instanceof ServiceError && error.kind === 'token_limit'),
  'reservation-kept-after-refusal': () => books(anyError, () => {}),
  'usage-estimated': () => misspellsCompletions(withMoreInput),
  'stream-usage-estimated': () => misstreamsChunks(withMoreInput),
  'finish-reason-reworded': () => misspellsChoices((choice) => ({ ...choice, finish_reason: 'end_turn' })),
};
