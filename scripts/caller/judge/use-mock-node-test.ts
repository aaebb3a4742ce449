import type { UseMockOptions } from '../../../mock-server/use-mock/sandbox-per-test.ts';
import { useNodeTestMock as useMockSandbox } from '../../../mock-server/use-mock/use-mock-node-test.ts';
import { judgeBeforeDropping, type JudgedMock, judged } from './judge-sandbox.ts';

export { assertFaithful } from './judge-sandbox.ts';

/** The same for tests of node:test; pass what `judge()` resolves to to `assertFaithful`. */
function useJudgedMock(options: Omit<UseMockOptions, 'witnessed' | 'dropping'> = {}): () => JudgedMock {
  const mock = useMockSandbox({ ...options, witnessed: true, dropping: judgeBeforeDropping });
  return () => judged(mock());
}

export { useJudgedMock as useMock };
