import { InvalidArgumentError } from 'commander';
import type { Runs, ShardPlace } from '../../../suites/kit/model/run.ts';

/** Parses a whole number within bounds; commander turns the error into one line that names the option. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= least && value <= most) return value;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
  };
}

/** Parses the number of random draws. */
export function draws(text: string): Runs {
  return text === 'few' || text === 'fewest' ? text : integer(0)(text);
}

/** Parses a shard: `2/3`. */
export function shardPlace(text: string): ShardPlace {
  const [, first, second] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const [index, count] = [Number(first), Number(second)];
  if (index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError('It must be i/n, such as 1/3, 2/3 or 3/3.');
}

/** Parses how long a completion takes, into milliseconds: `800ms`, `2.5s`. */
export function latency(text: string): number {
  const [, count, unit] = /^(\d{1,6}(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (unit === 's' ? 1000 : 1);
  throw new InvalidArgumentError('It must be the time that a completion takes, such as 800ms or 2.5s.');
}

/** Parses one of the given words. */
export function wordOf<W extends string>(known: readonly W[]): (text: string) => W {
  return (text) => {
    const match = known.find((candidate) => candidate === text);
    if (match === undefined) throw new InvalidArgumentError(`It must be one of: ${known.join(', ')}.`);
    return match;
  };
}

/** A name that is not empty. */
export function named(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** Refuses an option that is given twice: the last value would silently replace the first. */
export function once(text: string, before?: string): string {
  if (before === undefined) return text;
  throw new InvalidArgumentError(`Give it only once (already given: ${before}).`);
}

/** Collects comma-separated words, and those of an option that is given again. */
export function commaSeparated(text: string, before: readonly string[] = []): readonly string[] {
  const more = text.split(',').map((word) => word.trim());
  if (more.includes('')) throw new InvalidArgumentError('It must be a comma-separated list of names.');
  return [...before, ...more];
}

/** Like `words`, and each must be one of the known ones. */
export function wordsOf<W extends string>(
  known: readonly W[],
): (text: string, before?: readonly W[]) => readonly W[] {
  return (text, before = []) =>
    commaSeparated(text, before).map((word) => {
      const match = known.find((candidate) => candidate === word);
      if (match === undefined)
        throw new InvalidArgumentError(`Each name must be one of: ${known.join(', ')}.`);
      return match;
    });
}

/** Collects the values of an option that may be given many times. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
