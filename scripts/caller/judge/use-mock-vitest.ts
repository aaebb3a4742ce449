import { expect } from 'vitest';
import type { UseMockOptions } from '../../../mock-server/use-mock/sandbox-per-test.ts';
import { useVitestMock as useMockSandbox } from '../../../mock-server/use-mock/use-mock-vitest.ts';
import { judgeBeforeDropping, type JudgedMock, judged, violationsText } from './judge-sandbox.ts';

// Each release of vitest from 2 on has other parameters for its own `Matchers` and `Assertion`; both take over chai's.
declare global {
  namespace Chai {
    interface Assertion {
      /** For what `judge()` resolves to: passes if the caller kept every clause that was exercised. */
      toBeFaithful(this: void): void;
    }
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
 * A mock for the vitest tests of a file or a suite. OPENAI_* and CHAT_* variables name it from now on: call this before the
 * client is made. Each test gets a fresh sandbox behind its address, and fails if credits do not add up or an armed fault was
 * never triggered; if it sent the mock nothing, a warning says so. Call the returned function inside a test; `judge()`
 * judges the client by the clauses that bind callers.
 */
function useJudgedMock(options: Omit<UseMockOptions, 'witnessed' | 'dropping'> = {}): () => JudgedMock {
  const mock = useMockSandbox({ ...options, witnessed: true, dropping: judgeBeforeDropping });
  return () => judged(mock());
}

export { useJudgedMock as useMock };
