import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerRequest } from '../endpoints/answer-request.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { identify } from '../exchange/identity.ts';
import { RequestFaults } from '../exchange/request-faults.ts';
import { runPhase } from '../exchange/run-phase.ts';
import * as requestedFault from '../faults/requested-fault.ts';
import type { Answer } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { createService, type Service } from '../sandboxes/service.ts';
import { Delays } from '../time/delays.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { World } from '../world/world.ts';
import type { Resolution } from './ledger.ts';
import type { RequestState } from './request-state.ts';

const GRANTED = 120;
/** Six tokens of input at 1; every output is as long as it may be, at 2 a token. */
const costOf = (outputTokens: number): number => 6 + outputTokens * 2;
const SLOTS = 4;

const world: World = {
  ...builtInWorld,
  workspaces: builtInWorld.workspaces.map((workspace) => ({ ...workspace, credits: GRANTED })),
  keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: SLOTS })),
};

/** A fault of a request, as a line of a plan, and what the model of this test expects of it. */
interface LossCase {
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
  makeCase('timeout ms=5', 'succeeded', 'late'),
  makeCase('timeout ms=5 phase=after-validation', 'succeeded', 'late before'),
];

/** Waits that end when the test ends them. */
class HeldDelays extends Delays {
  readonly #begun: (run: () => void) => void;
  constructor(begun: (run: () => void) => void) {
    super(() => {});
    this.#begun = begun;
  }
  override afterArrivals(ms: number, run: () => void): void {
    this.after(ms, run);
  }

  override after(_ms: number, run: () => void): void {
    this.#begun(run);
  }
}

/** How a request ended for its caller: an error code, `served`, `again`, or `lost`; undefined: not yet. */
interface Call {
  readonly requestId: string;
  outcome?: string;
}

interface Sent {
  readonly key: string | null;
  readonly outputTokens: number;
  readonly lossCase: LossCase;
}

function open(begun: (run: () => void) => void): Service {
  const latency = { perCompletion: 1, perToken: 0 };
  const service = createService({ world, seed: 1, latency, log: () => {}, logAnswers: false });
  return { ...service, delays: new HeldDelays(begun) };
}

/** Sends a request to the service as its connection would. */
function send(service: Service, { key, outputTokens, lossCase: { fault } }: Sent): Call {
  const messages = [{ role: 'user', content: 'Hello' }];
  const request = {
    method: 'POST',
    url: '/v1/chat/completions',
    authorization: `Bearer ${world.keys[0]?.key}`,
    idempotencyKey: key ?? undefined,
    contentType: undefined,
    contentEncoding: undefined,
    fault: fault ?? undefined,
    body: Buffer.from(JSON.stringify({ model: 'compact-1', messages, max_tokens: outputTokens })),
  };
  const identity = identify(service.seed, service.occurrences, request);
  const call: Call = { requestId: identity.requestId };
  const faults = new RequestFaults(service.faults, undefined, identity.requestId);
  faults.compileWith(requestedFault);
  const releases: (() => void)[] = [];
  const end = (outcome: string): void => {
    expect(call.outcome).toBeUndefined();
    call.outcome = outcome;
    for (const release of releases.splice(0)) release();
  };
  const answered = ({ headers }: Answer): void =>
    end(headers.includes('idempotency-replayed') ? 'again' : 'served');
  const exchange: Exchange = {
    request,
    identity,
    faults,
    hold: (release) => releases.push(release),
    reply: (answer) => {
      if (call.outcome === undefined)
        runPhase(service, 'before-headers', { exchange }, () => answered(answer));
    },
    refuse: (error) => {
      if (!(error instanceof ServiceError)) throw error;
      if (call.outcome === undefined) end(error.kind);
    },
    lose: () => end('lost'),
  };
  try {
    answerRequest(service, exchange);
  } catch (error) {
    exchange.refuse(error);
  }
  return call;
}

/** What the model of this test knows of a request. */
interface Known {
  readonly sent: Sent;
  readonly call: Call;
  state: RequestState | 'absent';
  debit: number | null;
  outcome: string | undefined;
  holdsSlot: boolean;
}

interface KeyUse {
  readonly outputTokens: number;
  state: 'pending' | 'review' | 'answered';
}

/** The expected workspace, in the simplest form. */
class Books {
  readonly known: Known[] = [];
  readonly waiting: { known: Known; next: 'begin' | 'generate' | 'finish' }[] = [];
  readonly #keys = new Map<string, KeyUse>();

  get account(): { debited: number; held: number } {
    const sum = (states: readonly Known['state'][], of: (known: Known) => number): number =>
      this.known.filter(({ state }) => states.includes(state)).reduce((total, known) => total + of(known), 0);
    return {
      debited: sum(['succeeded'], ({ debit }) => debit ?? 0),
      held: sum(['running', 'under_review'], ({ sent }) => costOf(sent.outputTokens)),
    };
  }

  sent(sent: Sent, call: Call): void {
    const known: Known = { sent, call, state: 'absent', debit: null, outcome: undefined, holdsSlot: false };
    this.known.push(known);
    const { becomes, fault, waits } = sent.lossCase;
    if (becomes === 'lost early') known.outcome = 'lost';
    else if (becomes === 'refused early') known.outcome = fault ?? '';
    else if (waits === 'late before') this.waiting.push({ known, next: 'begin' });
    else this.#begin(known);
  }

  released(index: number): void {
    const [wait] = this.waiting.splice(index, 1);
    if (wait?.next === 'begin') this.#begin(wait.known);
    else if (wait?.next === 'generate') this.waiting.push({ known: wait.known, next: 'finish' });
    else if (wait !== undefined) this.#finish(wait.known);
  }

  resolved(known: Known, resolution: Resolution): void {
    if (resolution === 'completed') this.#succeed(known);
    else this.#fail(known);
  }

  #begin(known: Known): void {
    const { key, outputTokens, lossCase } = known.sent;
    const use = key === null ? undefined : this.#keys.get(key);
    if (use !== undefined) {
      known.outcome = repeated(use, known.sent);
      return;
    }
    const { debited, held } = this.account;
    if (this.known.filter(({ holdsSlot }) => holdsSlot).length >= SLOTS) known.outcome = 'rate_limit';
    else if (costOf(outputTokens) > GRANTED - debited - held) known.outcome = 'insufficient_credits';
    if (known.outcome !== undefined) return;
    known.state = 'running';
    if (key !== null) this.#keys.set(key, { outputTokens, state: 'pending' });
    this.#applyFault(known, lossCase);
  }

  #applyFault(known: Known, { fault, becomes, waits }: LossCase): void {
    const isLost = becomes === 'under_review' || fault?.includes('then=') === true;
    known.outcome = isLost ? 'lost' : undefined;
    known.holdsSlot = !isLost;
    if (waits === 'model') this.waiting.push({ known, next: 'finish' });
    else if (waits === 'late') this.waiting.push({ known, next: 'generate' });
    else if (waits === 'late before') this.waiting.push({ known, next: 'finish' });
    else if (becomes === 'under_review') this.#review(known);
    else {
      this.#fail(known);
      this.#end(known, fault?.split(' ')[0] ?? '');
    }
  }

  #finish(known: Known): void {
    if (known.sent.lossCase.becomes === 'failed') {
      this.#fail(known);
      return;
    }
    this.#succeed(known);
    if (known.outcome === undefined) this.#end(known, losesAnswer(known.sent) ? 'lost' : 'served');
  }

  #end(known: Known, outcome: string): void {
    known.outcome = outcome;
    known.holdsSlot = false;
  }

  #review(known: Known): void {
    known.state = 'under_review';
    this.#use(known, 'review');
  }

  #succeed(known: Known): void {
    known.state = 'succeeded';
    known.debit = costOf(known.sent.outputTokens);
    this.#use(known, 'answered');
  }

  #fail(known: Known): void {
    known.state = 'failed';
    if (known.sent.key !== null) this.#keys.delete(known.sent.key);
  }

  #use({ sent: { key } }: Known, state: KeyUse['state']): void {
    const use = key === null ? undefined : this.#keys.get(key);
    if (use !== undefined) use.state = state;
  }
}

function losesAnswer({ lossCase: { fault } }: Sent): boolean {
  return fault !== null && /phase=(?:after-debit|before-headers)/.test(fault);
}

function repeated({ outputTokens, state }: KeyUse, sent: Sent): string {
  if (state === 'review') return 'idempotency_under_review';
  if (outputTokens !== sent.outputTokens) return 'idempotency_mismatch';
  if (state === 'pending') return 'idempotency_in_flight';
  return sent.lossCase.fault?.includes('before-headers') === true ? 'lost' : 'again';
}

function agree(books: Books, service: Service): void {
  const { ledger } = service;
  expect(ledger.invariants()).toEqual([]);
  expect(ledger.account('main')).toMatchObject(books.account);
  for (const { call, state, debit, outcome } of books.known) {
    const entry = ledger.find(call.requestId);
    expect([entry?.state ?? 'absent', entry?.debit ?? null, call.outcome]).toEqual([state, debit, outcome]);
  }
}

const sents: fc.Arbitrary<Sent> = fc.record({
  key: fc.constantFrom(null, 'a', 'b', 'c'),
  outputTokens: fc.constantFrom(2, 8),
  lossCase: fc.constantFrom(...LOSS_CASES),
});
const resolutions = fc.constantFrom<Resolution>('completed', 'failed');

interface Real {
  readonly service: Service;
  readonly waiting: (() => void)[];
}

type Command = fc.Command<Books, Real>;

const sending = (sent: Sent): Command => ({
  check: () => true,
  run(books, { service }) {
    books.sent(sent, send(service, sent));
    agree(books, service);
  },
  toString: () => `send(${JSON.stringify(sent)})`,
});

const releasing = (pick: number): Command => ({
  check: ({ waiting }) => waiting.length > 0,
  run(books, { service, waiting }) {
    expect(waiting).toHaveLength(books.waiting.length);
    const index = pick % waiting.length;
    const [run] = waiting.splice(index, 1);
    run?.();
    books.released(index);
    agree(books, service);
  },
  toString: () => `release(${pick})`,
});

const resolving = (pick: number, resolution: Resolution): Command => ({
  check: ({ known }) => known.length > 0,
  run(books, { service }) {
    const reviewed = books.known.filter(({ state }) => state === 'under_review');
    const known = (reviewed.length > 0 ? reviewed : books.known).at(
      pick % (reviewed.length || books.known.length),
    );
    if (known === undefined) return;
    const entry = service.ledger.resolve(known.call.requestId, resolution);
    expect(entry !== undefined).toBe(reviewed.length > 0);
    if (entry !== undefined) books.resolved(known, resolution);
    agree(books, service);
  },
  toString: () => `resolve(${pick}, ${resolution})`,
});

test('keeps its books through any interleaving of requests, faults, repeats and resolutions', () => {
  const commands = fc.commands(
    [
      sents.map(sending),
      fc.nat(20).map(releasing),
      fc.tuple(fc.nat(20), resolutions).map(([pick, resolution]) => resolving(pick, resolution)),
    ],
    { maxCommands: 60 },
  );
  const run = (chosen: Iterable<Command>): void => {
    const waiting: (() => void)[] = [];
    const service = open((release) => waiting.push(release));
    fc.modelRun(() => ({ model: new Books(), real: { service, waiting } }), chosen);
  };
  expect(() => fc.assert(fc.property(commands, run), { numRuns: 300 })).not.toThrow();
});

/** Nothing is foretold where the order is drawn: only what must hold in any. */
type Scheduled = fc.AsyncCommand<{ calls: Call[] }, Service>;

const sendingSoon = (sent: Sent): Scheduled => ({
  check: () => true,
  run: async ({ calls }, service) => {
    calls.push(send(service, sent));
    expect(service.ledger.invariants()).toEqual([]);
  },
  toString: () => `send(${JSON.stringify(sent)})`,
});

const resolvingSoon = (pick: number, resolution: Resolution): Scheduled => ({
  check: ({ calls }) => calls.length > 0,
  run: async ({ calls }, service) => {
    service.ledger.resolve(calls[pick % calls.length]?.requestId ?? '', resolution);
    expect(service.ledger.invariants()).toEqual([]);
  },
  toString: () => `resolve(${pick}, ${resolution})`,
});

async function runScheduled(scheduler: fc.Scheduler, chosen: Iterable<Scheduled>): Promise<void> {
  const calls: Call[] = [];
  const service = open((release) => void scheduler.schedule(Promise.resolve(), 'wait').then(release));
  await fc.scheduledModelRun(scheduler, () => ({ model: { calls }, real: service }), chosen);
  await scheduler.waitIdle();
  expect(calls.filter(({ outcome }) => outcome === undefined)).toEqual([]);
  const { ledger } = service;
  for (const { requestId } of calls) ledger.resolve(requestId, 'completed');
  const debits = ledger.entries().map(({ debit }) => debit ?? 0);
  expect(ledger.account('main')).toMatchObject({
    debited: debits.reduce((sum, debit) => sum + debit, 0),
    held: 0,
  });
  expect(ledger.invariants()).toEqual([]);
  const paid = ledger
    .entries()
    .flatMap(({ state, idempotencyKey }) => (state === 'succeeded' ? [idempotencyKey] : []));
  const keys = paid.filter((key) => key !== null);
  expect(new Set(keys).size).toBe(keys.length);
}

test('keeps its books under any schedule of concurrent requests, faults, repeats and resolutions', async () => {
  const commands = fc.commands(
    [
      sents.map(sendingSoon),
      fc.tuple(fc.nat(20), resolutions).map(([pick, resolution]) => resolvingSoon(pick, resolution)),
    ],
    { maxCommands: 30 },
  );
  const property = fc.asyncProperty(fc.scheduler(), commands, runScheduled);
  await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
});
