import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Answer, Outcome } from '../model/exchange.ts';
import type { Entry } from '../model/journal.ts';
import { answered } from '../test-support/exchange.ts';
import { AnswerBodies } from './answer-bodies.ts';
import { endedEntry } from './entries.ts';

/** An outcome of this many bytes, and the line of a journal that counts how often it is read. */
function large(bytes: number, fill: number) {
  const exchange = answered({ body: Buffer.alloc(bytes, fill), pieces: [{ at: 5, upTo: bytes }] });
  const entry: Entry = JSON.parse(JSON.stringify(endedEntry(exchange)));
  const counts = { reads: 0 };
  const line = {
    read: () => {
      counts.reads += 1;
      return { entry };
    },
  };
  return { outcome: exchange.outcome, line, counts };
}

function answerOf(outcome: Outcome): Answer {
  if (outcome.kind !== 'answered') throw new TypeError('it was answered');
  return outcome.answer;
}

test('reads from their lines the bodies that take more than the bound together, oldest first', () => {
  const bodies = new AnswerBodies(3000);
  const all = [65, 66, 67, 200].map((fill) => large(1000, fill));
  const kept = all.map(({ outcome, line }) => answerOf(bodies.keepOutcome(outcome, line)));
  expect(all.map(({ counts }) => counts.reads)).toEqual([0, 0, 0, 0]);
  expect(kept.map((answer) => answer.body)).toEqual(all.map(({ outcome }) => answerOf(outcome).body));
  expect(kept.map((answer) => answer.pieces)).toEqual(all.map(({ outcome }) => answerOf(outcome).pieces));
  // Each made room for the next.
  expect(all.map(({ counts }) => counts.reads)).toEqual([2, 2, 2, 2]);
});

test('holds those that were asked for last', () => {
  const bodies = new AnswerBodies(2200);
  const [first, second, third] = [65, 66, 67].map((fill) => large(1000, fill));
  const [one, other] = [first, second].map(
    (each) => each && answerOf(bodies.keepOutcome(each.outcome, each.line)),
  );
  bodies.keepOutcome(third?.outcome ?? { kind: 'not-sent', reason: '' }, third?.line);
  expect([one?.body[0], one?.body[1], one?.body[2]]).toEqual([65, 65, 65]);
  expect([first?.counts.reads, other?.body[0], second?.counts.reads]).toEqual([1, 66, 1]);
});

test('leaves small bodies where they are', () => {
  const bodies = new AnswerBodies(0);
  const { outcome, line, counts } = large(200, 65);
  expect(answerOf(bodies.keepOutcome(outcome, line)).body).toHaveLength(200);
  expect(counts.reads).toBe(0);
});

test('keeps bodies in a temporary file where there is no journal, until it is closed', () => {
  const bodies = new AnswerBodies(0);
  const kept = [0, 65, 255].map((fill) => answerOf(bodies.keepOutcome(large(5000, fill).outcome, undefined)));
  const expected = [0, 65, 255].map((fill) => Buffer.alloc(5000, fill));
  expect(kept.map(({ body }) => Buffer.from(body))).toEqual(expected);
  expect(kept.map(({ body }) => Buffer.from(body))).toEqual(expected);
  bodies.close();
  expect(() => kept[0]?.body).toThrow('EBADF');
});

test('gives the same answer to whoever copies or compares it', () => {
  const { outcome, line } = large(3000, 65);
  const kept = new AnswerBodies(0).keepOutcome(outcome, line);
  expect(kept).toEqual(outcome);
  expect({ ...answerOf(kept) }).toEqual(answerOf(outcome));
});

test('lets go of bodies for good', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const bodies = new AnswerBodies(1_000_000);
  const line = { read: () => ({ entry: { type: 'shown', idempotencyKey: '' } }) as const };
  const refs: WeakRef<Uint8Array>[] = [];
  const kept = Array.from({ length: 40 }, () => {
    const { outcome } = answered({ body: Buffer.alloc(500_000, 65) });
    refs.push(new WeakRef(answerOf(outcome).body));
    return bodies.keepOutcome(outcome, line);
  });
  // A reference is held until the turn ends.
  await nextTurn();
  collect();
  expect(kept).toHaveLength(40);
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThanOrEqual(3);
});
