import type { Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { clausesOf, displayReason, ofTarget, outcomeText } from './display-verdict.ts';
import { incompleteReasons, type Section, sections } from './sections.ts';

const SEVERITY_OF_OUTCOME = { conformant: 'note', violations: 'error', incomplete: 'warning' } as const;

/** Lines that GitHub Actions shows as annotations of a job: the outcome, failures, known failures, then warnings. */
export function annotations(summary: Summary): readonly string[] {
  const { outcome, baseline, failedOn = [], cutShort } = summary;
  const reasons = [...failedOn, ...cutShort, ...incompleteReasons(summary)];
  const whole = [outcomeText(summary), ...reasons].join('; ');
  const of = ofTarget(summary);
  return [
    workflowCommand(SEVERITY_OF_OUTCOME[outcome], `Outcome${of}`, whole),
    ...(baseline?.problems ?? []).map((problem) => workflowCommand('error', `baseline${of}`, problem)),
    ...sections(summary).flatMap(({ severity, items }) =>
      items
        .flatMap(({ results }) => results)
        .map((each) =>
          workflowCommand(severity, `${each.id} (${clausesOf(each)})${of}`, displayReason(each)),
        ),
    ),
  ];
}

function workflowCommand(severity: Section['severity'], title: string, message: string): string {
  const level = severity === 'note' ? 'notice' : severity;
  return `::${level} title=${property(printable(title))}::${data(printable(message))}`;
}

/** Escapes as workflow commands require. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
