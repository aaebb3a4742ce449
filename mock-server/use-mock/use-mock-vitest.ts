import { afterAll, afterEach, beforeEach, type TestContext } from 'vitest';
import { createSandboxPerTest, type UseMockOptions } from './sandbox-per-test.ts';
import type { TestMock } from './test-mock.ts';

/**
 * A mock for the vitest tests of a file or suite. OPENAI_* and CHAT_* variables name it from now on, and each test gets a
 * fresh sandbox behind its address. A test fails if a rule of credits is broken, or if an armed fault never triggered; if it
 * sent the mock nothing, a warning says so. Call the returned function in a test.
 */
export function useVitestMock(options: UseMockOptions = {}): () => TestMock {
  const perTest = createSandboxPerTest(options);
  beforeEach(({ task }) => perTest.begin(fullNameOf(task)));
  afterEach(({ task }) => perTest.end(fullNameOf(task)));
  afterAll(() => perTest.close());
  return () => perTest.current;
}

type Named = Pick<TestContext['task'], 'name' | 'file' | 'suite'>;

/** As `task.fullName`, which vitest has from release 4 on: the file, the suites, the test. */
function fullNameOf({ name, file, suite }: Named): string {
  return `${suite === undefined ? file.name : fullNameOf(suite)} > ${name}`;
}
