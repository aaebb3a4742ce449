import type { CheckResult, RunOutcome, Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { displayReason, isFailing, clausesText, outcomeText } from './display-verdict.ts';
import { incompleteReasons } from './incomplete.ts';

const LEVELS = ['error', 'warning', 'notice'] as const;

type AnnotationLevel = (typeof LEVELS)[number];

const OUTCOME_LEVELS: Readonly<Record<RunOutcome, AnnotationLevel>> = {
  conformant: 'notice',
  violations: 'error',
  incomplete: 'warning',
};

/** Lines that GitHub Actions shows as annotations of a job: the outcome, failures, warnings, then known failures. */
export function annotations(summary: Summary): readonly string[] {
  const { outcome, checks, baseline, failedOn = [], cutShort } = summary;
  const reasons = [...failedOn, ...cutShort, ...incompleteReasons(summary)];
  const whole = [outcomeText(summary), ...reasons].join('; ');
  const problems = baseline?.problems.map((problem) => workflowCommand('error', 'baseline', problem)) ?? [];
  const ofChecks = LEVELS.flatMap((level) =>
    checks
      .filter((result) => levelOf(result) === level)
      .map((result) =>
        workflowCommand(level, `${result.id} (${clausesText(result)})`, displayReason(result)),
      ),
  );
  return [workflowCommand(OUTCOME_LEVELS[outcome], 'Outcome', whole), ...problems, ...ofChecks];
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
