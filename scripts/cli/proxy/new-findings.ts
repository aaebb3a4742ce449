import { printable } from '../../../suites/kit/evidence/printable.ts';
import type { CheckResult, Summary } from '../../../suites/kit/model/summary.ts';

const LONGEST = 300;

/** Says each kind of finding once. */
export class NewFindings {
  readonly #said = new Set<string>();

  /** A line for each kind of failure that was not there before. */
  linesFor({ checks }: Summary): readonly string[] {
    return checks
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .flatMap((check) => this.#fresh(check));
  }

  #fresh({ id, clauses, verdict, evidence }: CheckResult): readonly string[] {
    return evidence.flatMap(({ finding: { code, path, expected, actual } }) => {
      const name = [id, code, path].join(' ');
      if (this.#said.has(name)) return [];
      this.#said.add(name);
      const text = `expected ${expected}; got ${actual}`;
      return [`${verdict === 'fail' ? '✘' : '⚠'} ${id} (${clauses.join(' ')}): ${printable(text, LONGEST)}`];
    });
  }
}
