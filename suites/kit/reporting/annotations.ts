import type { CheckResult, Summary } from '../model/summary.ts';
import { printable } from '../evidence/printable.ts';
import { isFailing, reasonOf } from './display-verdict.ts';

type Loudness = 'error' | 'warning' | 'notice';

/** As workflow commands want what they carry. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function command(loudness: Loudness, title: string, message: string): string {
  return `::${loudness} title=${property(printable(title))}::${data(printable(message))}`;
}

function loudnessOf(result: CheckResult): Loudness | undefined {
  if (isFailing(result)) return 'error';
  if (result.known !== undefined) return 'notice';
  return result.verdict === 'warn' ? 'warning' : undefined;
}

const LOUDEST_FIRST: readonly Loudness[] = ['error', 'warning', 'notice'];

/** Lines that GitHub Actions shows beside a job: what failed, then warnings, then what is known. */
export function annotations({ checks, baseline }: Summary): readonly string[] {
  const problems = baseline?.problems.map((problem) => command('error', 'baseline', problem)) ?? [];
  const ofChecks = LOUDEST_FIRST.flatMap((loudness) =>
    checks
      .filter((result) => loudnessOf(result) === loudness)
      .map((result) => command(loudness, `${result.id} (${result.clauses.join(' ')})`, reasonOf(result))),
  );
  return [...problems, ...ofChecks];
}
