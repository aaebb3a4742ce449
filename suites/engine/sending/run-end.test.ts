import { expect, onTestFinished, test, vi } from 'vitest';
import { RunEnd } from './run-end.ts';

test('ends a run after its time, and waits five seconds more for what is under way', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const end = new RunEnd({ maxTimeMs: 90_000 });
  vi.advanceTimersByTime(89_999);
  expect([end.reason, end.signal.aborted]).toEqual([undefined, false]);
  vi.advanceTimersByTime(1);
  expect([end.reason, end.signal.aborted, end.givenUp.aborted]).toEqual([
    '--max-time 90s is over',
    true,
    false,
  ]);
  vi.advanceTimersByTime(5000);
  expect(end.givenUp.aborted).toBe(true);
});

test('ends a run at the signal of its user, and gives up no answer for it', () => {
  const user = new AbortController();
  const end = new RunEnd({ signal: user.signal, maxTimeMs: 1000 });
  user.abort();
  expect([end.reason, end.signal.aborted, end.givenUp.aborted]).toEqual(['interrupted', true, false]);
});
