import { hash } from 'node:crypto';

/** The longest timer of Node, in milliseconds. */
export const LARGEST = 2_147_483_647;

/** Milliseconds: so many, or drawn from `100..500`, `normal:MEAN,DEVIATION` or `lognormal:P50,P99`. */
export type Milliseconds = number | string;

const RANGE = /^(?:uniform:)?(\d+)(?:\.\.|,)(\d+)$/;
const BELL = /^(normal|lognormal):(\d+),(\d+)$/;

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.326_347_874_040_840_8;

type Spread =
  | { readonly kind: 'uniform'; readonly from: number; readonly to: number }
  | { readonly kind: 'normal'; readonly mean: number; readonly deviation: number }
  | { readonly kind: 'lognormal'; readonly p50: number; readonly p99: number };

/** Whether a text is a range or distribution from which milliseconds can be drawn. */
export function isSpread(text: string): boolean {
  return parse(text) !== undefined;
}

function parse(text: string): Spread | undefined {
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return inOrder(Number(from), Number(to), 0);
  const [, kind, first, second] = BELL.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  if (kind === 'normal') return normal(Number(first), Number(second));
  const range = inOrder(Number(first), Number(second), 1);
  return range && { kind: 'lognormal', p50: range.from, p99: range.to };
}

function inOrder(from: number, to: number, least: number): (Spread & { kind: 'uniform' }) | undefined {
  return from >= least && from <= to && to <= LARGEST ? { kind: 'uniform', from, to } : undefined;
}

function normal(mean: number, deviation: number): Spread | undefined {
  return Math.max(mean, deviation) <= LARGEST ? { kind: 'normal', mean, deviation } : undefined;
}

/** The milliseconds of a subject, always the same; whole, and never negative. */
export function drawMilliseconds(ms: Milliseconds, subject: string): number {
  const spread = typeof ms === 'number' ? undefined : parse(ms);
  if (spread === undefined) return Number(ms);
  const digits = hash('sha256', `ms ${subject}`, 'hex');
  const drawn = sample(spread, fraction(digits.slice(0, 12)), fraction(digits.slice(12, 24)));
  return Math.min(LARGEST, Math.max(0, Math.round(drawn)));
}

/** Twelve hexadecimal digits as a number from 0 to 1, without its ends. */
function fraction(digits: string): number {
  return (Number.parseInt(digits, 16) + 0.5) / 2 ** 48;
}

function sample(spread: Spread, one: number, other: number): number {
  if (spread.kind === 'uniform') return spread.from + one * (spread.to - spread.from);
  const z = Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  if (spread.kind === 'normal') return spread.mean + z * spread.deviation;
  const [middle, high] = [Math.log(spread.p50), Math.log(spread.p99)];
  return Math.exp(middle + (z * (high - middle)) / Z99);
}
