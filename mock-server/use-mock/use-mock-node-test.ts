import { after, afterEach, beforeEach } from 'node:test';

import { createSandboxPerTest, type UseMockOptions } from './sandbox-per-test.ts';
import type { TestMock } from './test-mock.ts';

/**
 * The same for the tests of node:test: a fresh sandbox for each, OPENAI_* and CHAT_* variables set for the client, and
 * a failure where credits went astray or an armed fault never fired. Call what it returns inside a test.
 */
export function useNodeTestMock(options: UseMockOptions = {}): () => TestMock {
  const perTest = createSandboxPerTest(options);
  beforeEach(({ fullName }) => perTest.begin(fullName));
  afterEach(({ fullName }) => perTest.end(fullName));
  after(() => perTest.close());
  return () => perTest.current;
}
