import type { Summary } from '../model/summary.ts';
import { counted } from './display-verdict.ts';

/** What a reader must know beside the outcome: ` (the bundled mock)`, ` (apart from 2 known failures)`; empty if nothing. */
export function outcomeNotes({ target, checks, baseline, failedOn }: Summary): string {
  const known = checks.filter((each) => each.known !== undefined).length;
  const notes = [
    ...(target.kind === 'mock' ? ['the bundled mock'] : []),
    ...(known > 0 ? [`apart from ${counted(known, 'known failure')}`] : []),
    ...(baseline !== undefined && baseline.problems.length > 0 ? ['the baseline is out of date'] : []),
    ...(failedOn === undefined ? [] : ['by --fail-on']),
  ];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

/** The outcome that decides the exit code, with its notes. */
export function outcomeText(summary: Summary): string {
  return summary.outcome + outcomeNotes(summary);
}
