import { after, afterEach, beforeEach } from 'node:test';
import type { JudgedMock } from './judge-sandbox.ts';
import { mockPerTest, type UseMockOptions } from './mock-per-test.ts';

export { assertFaithful } from './judge-sandbox.ts';
export { assertSent, assertSentOnce } from './matchers.ts';

/** The same as for vitest; `assertSent(mock(), …)` and `assertFaithful(await mock().judge())` stand for its matchers. */
function useMock(options: UseMockOptions = {}): () => JudgedMock {
  const perTest = mockPerTest(options);
  beforeEach(({ fullName }) => perTest.begin(fullName));
  afterEach((test) => perTest.end(test.fullName, 'error' in test && test.error !== null));
  after(() => perTest.close());
  return () => perTest.current;
}

// Each test runner has one of its own.
export { useMock };
