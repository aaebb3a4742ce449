import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { Halt } from './halt.ts';

const LOST = { kind: 'uncertain', reason: 'lost' } as const;

test('halts completions after three uncertain outcomes in a row, and nothing else', () => {
  const halt = new Halt();
  for (const outcome of [LOST, LOST, answered().outcome, LOST, LOST]) halt.note(outcome);
  expect(halt.ofCompletions).toBeUndefined();
  halt.note(LOST);
  expect([halt.ofCompletions, halt.ofAll]).toEqual([
    '3 requests in a row had an uncertain outcome',
    undefined,
  ]);
});

test('takes no refusal between them for a completion that fared well', () => {
  const halt = new Halt();
  for (const outcome of [LOST, answered({ status: 400 }).outcome, LOST, LOST]) halt.note(outcome);
  expect(halt.ofCompletions).toBeDefined();
});

test('halts everything after three requests in a row that nothing let through', () => {
  const halt = new Halt();
  for (let i = 0; i < 2; i += 1) halt.keptOut();
  halt.letThrough();
  for (let i = 0; i < 2; i += 1) halt.keptOut();
  expect(halt.ofAll).toBeUndefined();
  halt.keptOut();
  expect(halt.ofAll).toContain('3 requests in a row got nothing but rate limit errors');
  expect(halt.ofCompletions).toBe(halt.ofAll);
});

test('halts everything at once where the target asks for a longer wait than a run can bear', () => {
  const halt = new Halt();
  halt.askedToWait(3_600_000);
  expect(halt.ofAll).toBe('the target asks to wait 3600 s before anything more is sent');
});
