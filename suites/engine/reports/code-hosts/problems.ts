import { createHash } from 'node:crypto';
import { CLAUSES, type Level } from '../../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Summary } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { displayReason } from '../display-verdict.ts';
import type { ReportContext } from '../history.ts';
import { failureGroups, remedyText } from '../sections.ts';

/** What a code host shows at a file. */
export interface Problem {
  /** A clause, a check of one's own, or `not-begun`. */
  readonly rule: string;
  /** What a baseline lists is only noted. */
  readonly weight: Level | 'known';
  readonly text: string;
  /** The same in every run of a target: a host then takes it for the same problem, in whatever way the check failed. */
  readonly fingerprint: string;
  readonly remedies: readonly string[];
  /** The reasons that a baseline gives. */
  readonly known?: readonly string[] | undefined;
}

/** The checks that fail or warn, also the known ones; or that the run could not begin, since no problem would look like a pass. */
export function problemsOf(summary: Summary, { name = '' }: Pick<ReportContext, 'name'>): readonly Problem[] {
  const fingerprint = (id: string) => createHash('sha256').update(`${name} ${id}`).digest('hex');
  if (summary.notBegun !== undefined) {
    const text = shown(`The run could not begin: ${summary.notBegun.reason}`);
    const rule = 'not-begun';
    return [{ rule, weight: 'stated', text, fingerprint: fingerprint(rule), remedies: [] }];
  }
  return failureGroups(summary, isProblem).flatMap(({ results, remedies }) =>
    results.map((result) => ({
      rule: result.clauses[0] ?? result.id,
      weight: result.known === undefined ? result.level : 'known',
      text: shown(`${result.id}: ${result.title}: ${displayReason(result)}`),
      fingerprint: fingerprint(result.id),
      remedies: remedies.map((remedy) => shown(remedyText(remedy))),
      known: result.known,
    })),
  );
}

function isProblem({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** What a rule means: its clause in words, or the title of a check of one's own. */
export function meaningOf(rule: string, { checks }: Pick<Summary, 'checks'>): string {
  const clause = Object.entries(CLAUSES).find(([id]) => id === rule)?.[1];
  return clause?.statement ?? checks.find(({ id }) => id === rule)?.title ?? 'A run reaches its target.';
}

/** Hosts make links of what looks like one: nothing that the target wrote does. */
export function shown(text: string): string {
  return printable(text, 1000).replaceAll('](', '] (');
}
