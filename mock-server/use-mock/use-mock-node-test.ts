import { after, afterEach, beforeEach } from 'node:test';
import { createSandboxPerTest, type UseMockOptions } from './sandbox-per-test.ts';
import type { TestMock } from './test-mock.ts';

/**
 * The same for the tests of node:test. Each test gets a fresh sandbox, and OPENAI_* and CHAT_* variables for its client.
 * It fails if a rule of credits is broken, or if an armed fault never triggered. Call the returned function in a test.
 */
export function useNodeTestMock(options: UseMockOptions = {}): () => TestMock {
  const perTest = createSandboxPerTest(options);
  beforeEach(({ fullName }) => perTest.begin(fullName));
  afterEach(({ fullName }) => perTest.end(fullName));
  after(() => perTest.close());
  return () => perTest.current;
}
