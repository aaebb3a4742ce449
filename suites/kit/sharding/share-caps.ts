import type { Caps } from '../run.ts';
import type { ShardPlace } from './shard.ts';

/** What one shard may send: the shares add up to the whole, and none is larger than another by more than one. */
export function shareCaps({ requests, completions, outputTokens }: Caps, place: ShardPlace): Caps {
  return {
    requests: shareOf(requests, place),
    completions: shareOf(completions, place),
    // Of one request, however many there are.
    outputTokens,
  };
}

function shareOf(whole: number, { index, count }: ShardPlace): number {
  if (whole === Infinity) return Infinity;
  return Math.floor(whole / count) + (index <= whole % count ? 1 : 0);
}
