import type { TestMock } from '../../../mock-server/use-mock/test-mock.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { connectionsSettled } from '../observe-caller.ts';
import { judgeSandbox, type JudgeOptions } from './judge-sandbox.ts';

/** The sandbox of one test, with a judge of whoever calls it. */
export interface JudgedMock extends TestMock {
  /** What the clauses that bind callers say of everything that arrived so far. */
  judge(told?: JudgeOptions): Promise<Summary>;
}

/** Adds the judge to a sandbox that has a witness. */
export function judged(mock: TestMock): JudgedMock {
  const { sandbox } = mock;
  const judge = async (told?: JudgeOptions): Promise<Summary> => {
    await connectionsSettled({ service: sandbox, startedAt: 0 });
    return judgeSandbox(sandbox, told);
  };
  return { ...mock, judge };
}
