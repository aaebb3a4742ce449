import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { Halt } from './halt.ts';

const LOST = { kind: 'uncertain', reason: 'lost' } as const;

test('halts completions after three uncertain outcomes in a row, and nothing else', () => {
  const halt = new Halt();
  for (const outcome of [LOST, LOST, answered().outcome, LOST, LOST]) halt.noteOutcome(outcome);
  expect(halt.ofCompletions).toBeUndefined();
  halt.noteOutcome(LOST);
  expect([halt.ofCompletions, halt.ofAll]).toEqual([
    '3 requests in a row had an uncertain outcome',
    undefined,
  ]);
});

test('does not take a refusal in between for a completion', () => {
  const halt = new Halt();
  for (const outcome of [LOST, answered({ status: 400 }).outcome, LOST, LOST]) halt.noteOutcome(outcome);
  expect(halt.ofCompletions).toBeDefined();
});

test('halts everything after three requests in a row with nothing but rate limit errors', () => {
  const halt = new Halt();
  for (let i = 0; i < 2; i += 1) halt.noteRateLimited();
  halt.noteAnswered();
  for (let i = 0; i < 2; i += 1) halt.noteRateLimited();
  expect(halt.ofAll).toBeUndefined();
  halt.noteRateLimited();
  expect(halt.ofAll).toContain('3 requests in a row got nothing but rate limit errors');
  expect(halt.ofCompletions).toBe(halt.ofAll);
});

test('halts everything at once when the target asks for a longer wait than a run accepts', () => {
  const halt = new Halt();
  halt.noteLongWait(3_600_000);
  expect(halt.ofAll).toBe('the target asks to wait 3600 s before anything more is sent');
});
