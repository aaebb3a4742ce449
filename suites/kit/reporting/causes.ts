import type { CheckResult, LikelyCause, PossibleBug, Summary } from '../model/summary.ts';
import { isFailing } from './display-verdict.ts';

/** What is said of a cause: one likely bug, or two or three of which it may be one, each on a line of its own. */
export function causeTitles({ isLikely, bugs }: LikelyCause): readonly string[] {
  if (isLikely) return bugs.slice(0, 1).map(bugText);
  const head =
    bugs.length === 1 ? 'Perhaps this, or a bug like it:' : 'Perhaps one of these, or a bug like them:';
  return [head, ...bugs.map((bug) => `- ${bugText(bug)}`)];
}

/** The same on one line. */
export function causeTitle(cause: LikelyCause): string {
  return causeTitles(cause).join(' ');
}

function bugText({ story, name, clauses }: PossibleBug): string {
  return `${story} (${name}, breaks ${clauses.join(' ')})`;
}

/** The command that serves the first bug of a cause, to see what it does. */
export function causeShown({ bugs: [bug] }: LikelyCause): string {
  return `chat-conformance mock --defect ${bug?.name ?? ''}`;
}

/** Failures in the order in which they are read: under their causes, and then those that no known bug explains. */
export interface FailureGroup {
  /** Absent: no known bug explains them. */
  readonly cause?: LikelyCause;
  readonly failures: readonly CheckResult[];
}

/** Every failing check once: one that several bugs explain is under the first of them. */
export function failureGroups({
  checks,
  causes = [],
}: Pick<Summary, 'checks' | 'causes'>): readonly FailureGroup[] {
  const causeOf = ({ id }: CheckResult): LikelyCause | undefined =>
    causes.find((cause) => cause.checks.includes(id));
  const groups = Map.groupBy(checks.filter(isFailing), causeOf);
  const explained = causes.map((cause) => ({ cause, failures: groups.get(cause) ?? [] }));
  const alone = { failures: groups.get(undefined) ?? [] };
  return [...explained, alone].filter(({ failures }) => failures.length > 0);
}
