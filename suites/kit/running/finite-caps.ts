import type { Caps } from '../model/run.ts';
import type { Summary } from '../model/summary.ts';

/** Caps as JSON can say them, which has no Infinity: null where there is no cap. */
export function finiteCaps({ requests, completions, outputTokens }: Caps): Summary['caps'] {
  return {
    requests: finite(requests),
    completions: finite(completions),
    outputTokens: finite(outputTokens),
  };
}

function finite(cap: number): number | null {
  return Number.isFinite(cap) ? cap : null;
}
