import { printable } from '../evidence/show-exchange.ts';
import type { CheckResult, Summary } from '../model/summary.ts';
import { displayReason, isFailing, clausesText } from './display-verdict.ts';

type AnnotationLevel = 'error' | 'warning' | 'notice';

const LEVELS: readonly AnnotationLevel[] = ['error', 'warning', 'notice'];

/** Lines that GitHub Actions shows as annotations of a job: failures, then warnings, then known failures. */
export function annotations({ checks, baseline }: Summary): readonly string[] {
  const problems = baseline?.problems.map((problem) => workflowCommand('error', 'baseline', problem)) ?? [];
  const ofChecks = LEVELS.flatMap((level) =>
    checks
      .filter((result) => levelOf(result) === level)
      .map((result) =>
        workflowCommand(level, `${result.id} (${clausesText(result)})`, displayReason(result)),
      ),
  );
  return [...problems, ...ofChecks];
}

function levelOf(result: CheckResult): AnnotationLevel | undefined {
  if (isFailing(result)) return 'error';
  if (result.known !== undefined) return 'notice';
  return result.verdict === 'warn' ? 'warning' : undefined;
}

function workflowCommand(level: AnnotationLevel, title: string, message: string): string {
  return `::${level} title=${property(printable(title))}::${data(printable(message))}`;
}

/** Escapes as workflow commands require. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
