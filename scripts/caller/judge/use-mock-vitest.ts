import { afterAll, afterEach, beforeEach, expect, type TestContext } from 'vitest';
import type { JudgedMock } from './judge-sandbox.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import { mockPerTest, type UseMockOptions } from './mock-per-test.ts';

// Each release of vitest from 2 on has other parameters for its own `Matchers` and `Assertion`; both take over chai's.
declare global {
  namespace Chai {
    interface Assertion extends MockMatchers {}
  }
}

expect.extend(matchers);

/**
 * A mock for the tests of a file or a suite. OPENAI_* and CHAT_* variables name it from now on: call this before the client is
 * made. Each test gets a fresh sandbox behind its address, and fails if credits do not add up or an armed fault was never
 * triggered; if it sent the mock nothing, a warning says so. Call the returned function inside a test: `arm()` a fault, let the
 * client run, look at what it sent (`requests()`, `toHaveSent`), and `judge()` it by the clauses that bind callers.
 */
function useMock(options: UseMockOptions = {}): () => JudgedMock {
  const perTest = mockPerTest(options);
  beforeEach(({ task }) => perTest.begin(fullNameOf(task)));
  afterEach(({ task }) => perTest.end(fullNameOf(task), task.result?.state === 'fail'));
  afterAll(() => perTest.close());
  return () => perTest.current;
}

type Named = Pick<TestContext['task'], 'name' | 'file' | 'suite'>;

/** As `task.fullName`, which vitest has from release 4 on: the file, the suites, the test. */
function fullNameOf({ name, file, suite }: Named): string {
  return `${suite === undefined ? file.name : fullNameOf(suite)} > ${name}`;
}

// Each test runner has one of its own.
export { useMock };
