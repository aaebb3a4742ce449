import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Service } from '../../../mock-server/sandboxes/service.ts';
import type { Resolution, RequestState } from '../../../mock-server/workspace/ledger.ts';
import { Books, type Known } from './books.ts';
import { CLIENTS, openService, type Sent, sendTo, workspaceOf } from './held-service.ts';

/** A fault of a request, as a line of a plan, and what the model of this test expects of it. */
export interface LossCase {
  readonly fault: string | null;
  readonly becomes: 'refused early' | 'lost early' | Exclude<RequestState, 'running'>;
  /** What the request waits for. */
  readonly waits: 'model' | 'late' | 'late before' | 'nothing';
}

const makeCase = (
  fault: string | null,
  becomes: LossCase['becomes'],
  waits: LossCase['waits'],
): LossCase => ({
  fault,
  becomes,
  waits,
});

const LOSS_CASES: readonly LossCase[] = [
  makeCase(null, 'succeeded', 'model'),
  makeCase('rate_limit', 'refused early', 'nothing'),
  makeCase('model_unavailable phase=after-reservation', 'failed', 'nothing'),
  makeCase('service_unavailable phase=during-generation', 'failed', 'nothing'),
  makeCase('gateway_failure phase=after-validation', 'lost early', 'nothing'),
  makeCase('connection_reset phase=before-authentication', 'lost early', 'nothing'),
  makeCase('gateway_failure', 'under_review', 'nothing'),
  makeCase('timeout phase=after-reservation', 'under_review', 'nothing'),
  makeCase('gateway_failure then=completes', 'succeeded', 'model'),
  makeCase('connection_closed phase=after-reservation then=fails', 'failed', 'model'),
  makeCase('timeout phase=after-debit', 'succeeded', 'model'),
  makeCase('connection_closed phase=before-headers', 'succeeded', 'model'),
  makeCase('own_answer status=500 phase=after-debit', 'succeeded', 'model'),
  makeCase('own_answer status=429 phase=after-reservation then=fails', 'failed', 'model'),
  makeCase('half_open', 'under_review', 'nothing'),
  makeCase('half_open phase=before-headers', 'succeeded', 'model'),
  makeCase('rate_limit phase=after-reservation retry_after=date', 'failed', 'nothing'),
  makeCase('latency ms=1..9 phase=after-reservation', 'succeeded', 'late'),
  makeCase('latency ms=lognormal:5,50 phase=after-validation', 'succeeded', 'late before'),
  makeCase('timeout ms=5', 'succeeded', 'late'),
  makeCase('timeout ms=5 phase=after-validation', 'succeeded', 'late before'),
];

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
