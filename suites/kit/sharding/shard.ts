import type { Check } from '../model/check.ts';
import type { Caps } from '../model/run.ts';

/** Which of several runs that together are one. */
export interface ShardPlace {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** A place, and the whole of which this is a part. */
export interface Shard extends ShardPlace {
  /** The version that drew the inputs: another one may draw others. */
  readonly release: string;
  /** Every check of all shards, in the order of the catalogue. */
  readonly checks: readonly Check[];
  /** What all shards may send together. */
  readonly caps: Caps;
}

/** As it is given and shown: `2/3`. */
export function shardName({ index, count }: ShardPlace): string {
  return `${index}/${count}`;
}
