import { afterAll, afterEach, beforeEach } from 'vitest';

import { createSandboxPerTest, type UseMockOptions } from './sandbox-per-test.ts';
import type { TestMock } from './test-mock.ts';

/**
 * A mock for the vitest tests of a file, or of the suite in which it is called: a fresh sandbox for each, OPENAI_* and
 * CHAT_* variables set for the client, and a failure where credits went astray or an armed fault never fired. Call what
 * it returns inside a test.
 */
export function useVitestMock(options: UseMockOptions = {}): () => TestMock {
  const perTest = createSandboxPerTest(options);
  beforeEach(({ task }) => perTest.begin(task.fullName));
  afterEach(({ task }) => perTest.end(task.fullName));
  afterAll(() => perTest.close());
  return () => perTest.current;
}
