import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Account,
  type LedgerEntry,
  MemoryLedger,
  type RequestState,
  type Resolution,
} from './ledger.ts';

const WORKSPACES = [
  { id: 'v', credits: 50 },
  { id: 'w', credits: 150 },
];
type Workspace = (typeof WORKSPACES)[number];

/** What the books have of one request. */
interface Booked extends Pick<LedgerEntry, 'requestId' | 'workspace' | 'reserved'> {
  readonly entry: LedgerEntry;
  /** All that it has been in; the last is the one that it is in. */
  readonly states: RequestState[];
  debit: number | null;
}

const HELD: ReadonlySet<RequestState> = new Set(['running', 'under_review']);

const stateOf = ({ states }: Booked): RequestState => states.at(-1) ?? 'failed';

/** The model of the ledger: two lists of requests, from which every sum is computed anew. */
class Books {
  readonly open: Booked[] = [];
  readonly settled: Booked[] = [];

  account({ id, credits }: Workspace): Account {
    const own = [...this.open, ...this.settled].filter(({ workspace }) => workspace === id);
    const debited = own.reduce((sum, { debit }) => sum + (debit ?? 0), 0);
    const held = own.reduce((sum, booked) => sum + (HELD.has(stateOf(booked)) ? booked.reserved : 0), 0);
    return { workspace: id, granted: credits, debited, held, available: credits - debited - held };
  }

  settle(booked: Booked, debit: number | null): void {
    booked.states.push(debit === null ? 'failed' : 'succeeded');
    booked.debit = debit;
    this.open.splice(this.open.indexOf(booked), 1);
    this.settled.push(booked);
  }
}

/** The ledger, which remembers so many settled requests. */
interface Real {
  readonly ledger: MemoryLedger;
  readonly history: number;
}

function expectAgreement(books: Books, { ledger, history }: Real): void {
  expect(ledger.invariants()).toEqual([]);
  for (const workspace of WORKSPACES) expect(ledger.account(workspace.id)).toEqual(books.account(workspace));
  const known = [...books.settled.slice(-history), ...books.open];
  expect(
    ledger.entries().map(({ requestId, debit, changes }) => ({
      requestId,
      debit,
      states: changes.map(({ state }) => state),
    })),
  ).toEqual(known.map(({ requestId, debit, states }) => ({ requestId, debit, states })));
}

type Command = fc.Command<Books, Real>;

function reserve(workspace: Workspace, wanted: number): Command {
  return {
    check: () => true,
    run(books, real) {
      const { ledger } = real;
      const requestId = `r${books.open.length + books.settled.length}`;
      const request = { requestId, workspace: workspace.id, idempotencyKey: null };
      const { available } = books.account(workspace);
      expect(() => ledger.reserve({ ...request, reserved: available + 1 })).toThrow(
        expect.objectContaining({ kind: 'insufficient_credits' }),
      );
      const reserved = Math.min(wanted, available);
      const entry = ledger.reserve({ ...request, reserved });
      books.open.push({ ...request, reserved, entry, states: ['running'], debit: null });
      expectAgreement(books, real);
    },
    toString: () => `reserve ${wanted} of ${workspace.id}`,
  };
}

/** Does something to one of the requests in this state, if there is any. */
function change(
  state: RequestState,
  pick: number,
  name: string,
  act: (booked: Booked, ledger: MemoryLedger, books: Books) => void,
): Command {
  const all = (books: Books): readonly Booked[] => books.open.filter((booked) => stateOf(booked) === state);
  return {
    check: (books) => all(books).length > 0,
    run(books, real) {
      const booked = all(books)[pick % all(books).length];
      if (booked !== undefined) act(booked, real.ledger, books);
      expectAgreement(books, real);
    },
    toString: () => `${name} (${state} request ${pick})`,
  };
}

const succeed = (pick: number, used: number): Command =>
  change('running', pick, `debit ${used}`, (booked, ledger, books) => {
    const debit = Math.min(used, booked.reserved);
    ledger.succeed(booked.entry, debit);
    books.settle(booked, debit);
  });

const fail = (pick: number): Command =>
  change('running', pick, 'fail', (booked, ledger, books) => {
    ledger.fail(booked.entry);
    books.settle(booked, null);
  });

/** The books hear from the ledger how it was resolved. */
const review = (pick: number, used: number): Command =>
  change('running', pick, `review, owing ${used}`, (booked, ledger, books) => {
    const owed = Math.min(used, booked.reserved);
    booked.states.push('under_review');
    ledger.review(booked.entry, owed, (how) => books.settle(booked, how === 'completed' ? owed : null));
  });

const resolve = (pick: number, how: Resolution): Command =>
  change('under_review', pick, `resolve as ${how}`, ({ requestId }, ledger) => {
    expect(ledger.resolve(requestId, how)?.state).toBe(how === 'completed' ? 'succeeded' : 'failed');
    expect(ledger.resolve(requestId, 'completed')).toBeUndefined();
  });

const [PICK, CREDITS] = [fc.nat(9), fc.nat(40)];
const RESERVING = fc.tuple(fc.constantFrom(...WORKSPACES), CREDITS).map((drawn) => reserve(...drawn));
const COMMANDS = fc.commands(
  [
    RESERVING,
    RESERVING,
    fc.tuple(PICK, CREDITS).map((drawn) => succeed(...drawn)),
    PICK.map(fail),
    fc.tuple(PICK, CREDITS).map((drawn) => review(...drawn)),
    fc.tuple(PICK, fc.constantFrom<Resolution>('completed', 'failed')).map((drawn) => resolve(...drawn)),
  ],
  { maxCommands: 60, size: 'max' },
);

test('agrees with plain lists of requests after every step, whatever is done in whatever order', () => {
  const agrees = fc.property(COMMANDS, fc.integer({ min: 1, max: 5 }), (commands, history) => {
    const ledger = new MemoryLedger(WORKSPACES, history, () => 0);
    fc.modelRun(() => ({ model: new Books(), real: { ledger, history } }), commands);
  });
  expect(() => fc.assert(agrees)).not.toThrow();
});
