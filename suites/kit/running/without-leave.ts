import type { RunOptions } from '../run.ts';
import type { Stage } from '../stimulus.ts';

/** Why nothing of a stage is sent without leave; undefined where it needs none, or has it. */
export function withoutLeave(stage: Stage, allow: RunOptions['allow']): string | undefined {
  // What needs the control URL says so itself.
  if (stage === 'free' || stage === 'paid' || stage === 'control' || allow.has(stage)) return undefined;
  return `it is ${stage}: give leave with --allow ${stage}`;
}
