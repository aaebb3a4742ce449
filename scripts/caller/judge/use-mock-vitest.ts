import { expect } from 'vitest';
import type { UseMockOptions } from '../../../mock-server/use-mock/sandbox-per-test.ts';
import { useVitestMock as useMockSandbox } from '../../../mock-server/use-mock/use-mock-vitest.ts';
import { judgeBeforeDropping, type JudgedMock, judged, violationsText } from './judge-sandbox.ts';

declare module 'vitest' {
  // The parameters are those of vitest's own declaration, which this one is merged with.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** For what `judge()` resolves to: passes if the caller kept every clause that was exercised. */
    toBeFaithful(this: Matchers<R, T>): R;
  }
}

expect.extend({
  toBeFaithful(summary: unknown) {
    const violations = violationsText(summary);
    return {
      pass: violations === undefined,
      message: () => violations ?? 'the caller kept every clause that was exercised',
    };
  },
});

/**
 * A mock for the vitest tests of a file or a suite. Each test gets a fresh sandbox and OPENAI_* and CHAT_* variables
 * for its client, and fails if credits do not add up or an armed fault was never triggered. Call the returned function inside
 * a test; `judge()` judges the client by the clauses that bind callers.
 */
function useJudgedMock(options: Omit<UseMockOptions, 'witnessed' | 'dropping'> = {}): () => JudgedMock {
  const mock = useMockSandbox({ ...options, witnessed: true, dropping: judgeBeforeDropping });
  return () => judged(mock());
}

export { useJudgedMock as useMock };
