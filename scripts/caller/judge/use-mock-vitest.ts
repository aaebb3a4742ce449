import { expect } from 'vitest';
import type { UseMockOptions } from '../../../mock-server/use-mock/sandbox-per-test.ts';
import { useVitestMock as useMockSandbox } from '../../../mock-server/use-mock/use-mock-vitest.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { type JudgedMock, judged } from './judged-mock.ts';
import { violationsText } from './unfaithfulness.ts';

declare module 'vitest' {
  // The parameters are those of vitest's own declaration, which this one is merged with.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Of what `judge()` resolves with: whether the caller kept every clause that was put to the question. */
    toBeFaithful(this: Matchers<R, T>): R;
  }
}

expect.extend({
  toBeFaithful(summary: Summary) {
    const against = violationsText(summary);
    return {
      pass: against === undefined,
      message: () => against ?? 'the caller kept every clause that was put to the question',
    };
  },
});

/**
 * A mock for the vitest tests of a file, or of the suite in which it is called: a fresh sandbox for each, OPENAI_* and
 * CHAT_* variables set for the client, and a failure where credits went astray or an armed fault never fired. Call what
 * it returns inside a test; its `judge()` tells what the clauses say of the client.
 */
function useJudgedMock(options: Omit<UseMockOptions, 'witnessed'> = {}): () => JudgedMock {
  const mock = useMockSandbox({ ...options, witnessed: true });
  return () => judged(mock());
}

export { useJudgedMock as useMock };
