import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { CheckFlags } from '../options/check-flags.ts';

/** What `--runs` makes this run send, and what keeps it from that; undefined where the tier says it. */
export function runsLine(
  { runs: asked }: Pick<CheckFlags, 'runs'>,
  { runs, caps }: Pick<RunOptions, 'runs' | 'caps'>,
): string | undefined {
  if (asked === undefined) return undefined;
  const what =
    typeof runs === 'number'
      ? `every known input and ${runs} random ${runs === 1 ? 'one' : 'ones'} of each kind`
      : `${runs === 'few' ? 'some' : 'a quarter of some'} of the known inputs of each kind, and no random one`;
  return `--runs ${asked}: ${what}${limits(caps)}`;
}

function limits({ requests, completions }: RunOptions['caps']): string {
  if (!Number.isFinite(requests) && !Number.isFinite(completions)) return '';
  return `, as far as ${numbered(requests, 'request')} and ${numbered(completions, 'completion')} allow`;
}

function numbered(count: number, noun: string): string {
  return Number.isFinite(count) ? `${count} ${noun}s` : `any number of ${noun}s`;
}
