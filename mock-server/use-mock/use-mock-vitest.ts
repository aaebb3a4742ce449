import { afterAll, afterEach, beforeEach } from 'vitest';
import { createSandboxPerTest, type UseMockOptions } from './sandbox-per-test.ts';
import type { TestMock } from './test-mock.ts';

/**
 * A mock for the vitest tests of a file or suite. Each test gets a fresh sandbox, and OPENAI_* and CHAT_* variables for
 * its client. It fails if a rule of credits is broken, or if an armed fault never triggered. Call the returned function
 * in a test.
 */
export function useVitestMock(options: UseMockOptions = {}): () => TestMock {
  const perTest = createSandboxPerTest(options);
  beforeEach(({ task }) => perTest.begin(task.fullName));
  afterEach(({ task }) => perTest.end(task.fullName));
  afterAll(() => perTest.close());
  return () => perTest.current;
}
