import { after, afterEach, beforeEach } from 'node:test';
import { createSandboxPerTest, type UseMockOptions } from './sandbox-per-test.ts';
import type { TestMock } from './test-mock.ts';

/**
 * The same for the tests of node:test. OPENAI_* and CHAT_* variables name the mock from now on, and each test gets a fresh
 * sandbox behind its address. A test fails if a rule of credits is broken, or if an armed fault never triggered; if it sent
 * the mock nothing, a warning says so. Call the returned function in a test.
 */
export function useNodeTestMock(options: UseMockOptions = {}): () => TestMock {
  const perTest = createSandboxPerTest(options);
  beforeEach(({ fullName }) => perTest.begin(fullName));
  afterEach(({ fullName }) => perTest.end(fullName));
  after(() => perTest.close());
  return () => perTest.current;
}
