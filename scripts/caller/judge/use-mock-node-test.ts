import type { UseMockOptions } from '../../../mock-server/use-mock/sandbox-per-test.ts';
import { useNodeTestMock as useMockSandbox } from '../../../mock-server/use-mock/use-mock-node-test.ts';
import { type JudgedMock, judged } from './judged-mock.ts';

export { assertFaithful } from './unfaithfulness.ts';

/** The same for the tests of node:test; what `judge()` resolves with goes to `assertFaithful`. */
function useJudgedMock(options: Omit<UseMockOptions, 'witnessed'> = {}): () => JudgedMock {
  const mock = useMockSandbox({ ...options, witnessed: true });
  return () => judged(mock());
}

export { useJudgedMock as useMock };
