import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Service } from '../../../mock-server/sandboxes/service.ts';
import type { Resolution } from '../../../mock-server/workspace/ledger.ts';
import { Books, type Known } from './books.ts';
import { CLIENTS, openService, type Sent, sendTo, workspaceOf } from './held-service.ts';
import { LOSS_CASES } from './loss-cases.ts';

interface Real {
  readonly service: Service;
  readonly waiting: (() => void)[];
}

type Command = fc.Command<Books, Real>;

/** Throws for the first difference between the service and the books. */
function agree(books: Books, { ledger }: Service): void {
  same(ledger.invariants(), [], 'invariants');
  for (const workspace of new Set(CLIENTS.map(workspaceOf))) {
    const { debited, held } = ledger.account(workspace) ?? {};
    same({ debited, held }, books.account(workspace), workspace);
  }
  const entries = new Map(ledger.entries().map((entry) => [entry.requestId, entry]));
  for (const { call, sent, state, debit, outcome } of books.known) {
    const entry = entries.get(call.requestId);
    const found = [entry?.state ?? 'absent', entry?.debit ?? null, call.outcome];
    same(found, [state, debit, outcome], `${call.requestId} ${JSON.stringify(sent)}`);
  }
}

function same(found: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}

function step(name: string, run: (books: Books, real: Real) => void, counted: () => void): Command {
  return {
    check: () => true,
    run(books, real) {
      counted();
      run(books, real);
      agree(books, real.service);
    },
    toString: () => name,
  };
}

function sending(sent: Sent, counted: () => void): Command {
  return step(
    `send(${JSON.stringify(sent)})`,
    (books, { service }) => books.sent(sent, sendTo(service, sent)),
    counted,
  );
}

function releasing(pick: number, counted: () => void): Command {
  const release = (books: Books, { waiting }: Real): void => {
    same(waiting.length, books.waiting.length, 'waits');
    if (waiting.length === 0) return;
    const index = pick % waiting.length;
    const [run] = waiting.splice(index, 1);
    run?.();
    books.released(index);
  };
  return step(`release(${pick})`, release, counted);
}

function picked(known: readonly Known[], pick: number): Known | undefined {
  return known[pick % Math.max(1, known.length)];
}

/** Resolves a request, mostly one that is under review. */
function resolving(pick: number, resolution: Resolution, counted: () => void): Command {
  const resolve = (books: Books, { service: { ledger } }: Real): void => {
    const reviewed = books.known.filter(({ state }) => state === 'under_review');
    const known = picked(reviewed.length > 0 ? reviewed : books.known, pick);
    if (known === undefined) return;
    const entry = ledger.resolve(known.call.requestId, resolution);
    same(entry !== undefined, reviewed.length > 0, 'resolved');
    if (entry !== undefined) books.resolved(known, resolution);
  };
  return step(`resolve(${pick}, ${resolution})`, resolve, counted);
}

/** The caller of a request that has not ended disconnects. */
function aborting(pick: number, counted: () => void): Command {
  const abort = (books: Books): void => {
    const known = picked(
      books.known.filter(({ outcome }) => outcome === undefined),
      pick,
    );
    if (known === undefined) return;
    known.call.abort();
    books.aborted(known);
  };
  return step(`abort(${pick})`, abort, counted);
}

function advancing(ms: number, counted: () => void): Command {
  const advance = (books: Books, { service }: Real): void => {
    service.time.advance(ms);
    books.advanced(ms);
  };
  return step(`advance(${ms})`, advance, counted);
}

export const SENTS: fc.Arbitrary<Sent> = fc.record({
  client: fc.constantFrom(...CLIENTS),
  key: fc.constantFrom(null, 'a', 'b', 'c'),
  outputTokens: fc.constantFrom(2, 8),
  lossCase: fc.constantFrom(...LOSS_CASES),
});
export const RESOLUTIONS = fc.constantFrom<Resolution>('completed', 'failed');

const HOUR_MS = 3_600_000;

/** Clients against a service, compared with the books after every step. `counted` is called for each step. */
export function moneyProperty(
  maxCommands: number,
  counted: () => void = () => {},
): fc.IProperty<[number, Iterable<Command>]> {
  const commands = fc.commands(
    [
      SENTS.map((sent) => sending(sent, counted)),
      SENTS.map((sent) => sending(sent, counted)),
      fc.nat(20).map((pick) => releasing(pick, counted)),
      fc.nat(20).map((pick) => releasing(pick, counted)),
      fc.tuple(fc.nat(20), RESOLUTIONS).map(([pick, how]) => resolving(pick, how, counted)),
      fc.nat(20).map((pick) => aborting(pick, counted)),
      fc.constantFrom(1, HOUR_MS, 24 * HOUR_MS, 25 * HOUR_MS).map((ms) => advancing(ms, counted)),
    ],
    { maxCommands, size: 'max' },
  );
  return fc.property(fc.constantFrom(40, 120, 2000), commands, (credits, chosen) => {
    const waiting: (() => void)[] = [];
    const service = openService(credits, (release) => waiting.push(release));
    fc.modelRun(() => ({ model: new Books(credits), real: { service, waiting } }), chosen);
  });
}
