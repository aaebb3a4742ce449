import { expect, test } from 'vitest';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import type { Exchange, Outcome } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { openWire, portOf, serve } from '../test-support/service.ts';
import { deathIn, Lifeline } from './lifeline.ts';
import { WAS_CLOSING } from './transport.ts';
import type { Wire } from './wire.ts';

const draft = chatDraft({ model: 'm', messages: [], max_tokens: 4 });

/** A wire to a server that goes with all its connections at the fifth request, and comes back if it may. */
async function wireToMortal(comesBack: boolean): Promise<Wire> {
  const { server, baseUrl } = await serve(({ nth }, response) => {
    if (nth === 1 || nth > 5) return void response.end('{"choices":[]}');
    if (nth < 5) return;
    const port = portOf(server);
    server.close(() => comesBack && setTimeout(() => server.listen(port, '127.0.0.1'), 300));
    server.closeAllConnections();
  });
  const wire = openWire(baseUrl, { concurrency: 8 });
  await wire.sender('first/0').send(draft);
  const sender = wire.sender('beside/0');
  await Promise.all(Array.from({ length: 4 }, () => sender.send(draft)));
  return wire;
}

test('counts the requests that were under way as one uncertain outcome given a target that comes back', async () => {
  const wire = await wireToMortal(true);
  expect(wire.record.map(({ outcome }) => outcome.kind)).toEqual(['answered', ...Array(4).fill('uncertain')]);
  expect(wire.halted).toBeUndefined();
  expect((await wire.sender('then/0').send(draft)).outcome.kind).toBe('answered');
});

test('lets nothing more out given a target that is gone, and says after which request it went', async () => {
  const wire = await wireToMortal(false);
  const before = wire.budget.spent.requests;
  const { outcome } = await wire.sender('then/0').send({ method: 'GET', path: '/models' });
  expect(outcome).toEqual({ kind: 'not-sent', reason: 'the target no longer answers' });
  expect(wire.budget.spent.requests).toBe(before);
  expect(wire.halted).toMatch(/after beside\/0\/\d, .*; also in flight: beside\/0\/\d, beside/);
});

const LOST: Outcome = { kind: 'uncertain', reason: 'the connection broke: ECONNRESET' };
const REFUSED: Outcome = { kind: 'not-sent', reason: 'connection refused' };

function recordOf(...outcomes: readonly Outcome[]): readonly Exchange[] {
  return outcomes.map((outcome, nth) => ({ ...answered(), id: `s/${nth}`, outcome }));
}

const OK = answered().outcome;
const NO = answered({ status: 400 }).outcome;

test.each([
  [false, 'a completion in between', [LOST, LOST, OK, LOST, LOST]],
  [true, 'three in a row', [OK, LOST, LOST, LOST]],
  [true, 'a refusal in between', [LOST, NO, LOST, LOST]],
])('is in doubt: %j, given uncertain outcomes with %s', async (isInDoubt, _, outcomes) => {
  const { baseUrl } = await serve(() => {});
  const lifeline = new Lifeline({ origin: new URL(baseUrl) }, async () => OK);
  for (const outcome of outcomes) await lifeline.note(outcome, true);
  expect(lifeline.inDoubt).toBe(isInDoubt ? '3 requests in a row had an uncertain outcome' : undefined);
  expect(lifeline.ended).toBeUndefined();
});

const FAILED = answered({ status: 500 }).outcome;

/** How many requests a service got that fails from the sixth on, with what the run says, given so many failures of it. */
async function failing(count: number) {
  let got = 0;
  const { baseUrl } = await serve((_, response) => {
    got += 1;
    response.writeHead(got > 5 && got <= 5 + count ? 500 : 200).end('{"choices":[]}');
  });
  const wire = openWire(baseUrl);
  const sender = wire.sender('chats');
  for (let sent = 0; sent < 15; sent += 1) await sender.send(draft);
  return { got, halted: wire.halted, record: wire.record };
}

test('requests no more completions given a service that fails at what it served before', async () => {
  const { got, halted, record } = await failing(Infinity);
  expect({ got, halted }).toEqual({
    got: 13,
    halted: expect.stringMatching(/^from chats\/5 on, .*\(8 answers\)$/),
  });
  expect(deathIn(record)?.failed.has('second-look/2')).toBe(true);
});

test('goes on given a service that serves it again', async () => {
  expect(await failing(5)).toMatchObject({ got: 16, halted: undefined });
});

const CLOSING: Outcome = { kind: 'uncertain', reason: `${WAS_CLOSING}: ECONNRESET` };

test.each([
  ['an answer after the broken connection', [OK, LOST, OK, REFUSED, OK]],
  ['a target that never answered', [REFUSED, REFUSED]],
  ['broken connections to a target that still listens', [OK, LOST, LOST]],
  ['failures that nothing was asked again for', [OK, FAILED, FAILED, FAILED, FAILED, FAILED]],
])('finds no end given %s', (_, outcomes) => {
  expect(deathIn(recordOf(...outcomes))).toBeUndefined();
});

test.each([
  ['s/1, whose connection broke', true, [OK, LOST, REFUSED]],
  ['s/2, whose connection broke; also in flight: s/3', true, [OK, OK, LOST, LOST, REFUSED]],
  ['s/1, which it had answered', false, [OK, OK, REFUSED]],
  // On its way to a connection that was closing; and another beside it that was taken up.
  ['s/1, whose connection broke as it left', false, [OK, CLOSING, REFUSED]],
  ['s/1, whose connection broke as it left; also in flight: s/2', true, [OK, CLOSING, LOST, REFUSED]],
])('finds the end after %s, which may have provoked it: %s', (after, isSuspect, outcomes) => {
  const death = deathIn(recordOf(...outcomes));
  expect(death).toMatchObject({ isSuspect, line: `the target stopped answering after ${after}` });
  expect(after.startsWith(`${death?.exchange.id},`)).toBe(true);
});
