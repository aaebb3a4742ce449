import { jsonPointer } from '../protocol/service-error.ts';

/** A plan that cannot be armed. Its message is one line: the place, and what would be possible there. */
export class FaultPlanError extends Error {
  override readonly name = 'FaultPlanError';
  /** Into the plan or the rule; names in it are as they were given. */
  readonly path: readonly (string | number)[];
  /** Repeats nothing that was given. */
  readonly problem: string;

  constructor(path: readonly (string | number)[], problem: string, options?: ErrorOptions) {
    super(path.length === 0 ? problem : `${jsonPointer(path)}: ${problem}`, options);
    this.path = path;
    this.problem = problem;
  }
}
