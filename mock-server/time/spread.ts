import { hash } from 'node:crypto';

/** The longest timer of Node, in milliseconds. */
export const LARGEST = 2_147_483_647;

/** Milliseconds: so many, or drawn from `100..500`, `normal:MEAN,DEVIATION` or `lognormal:P50,P99`. */
export type Milliseconds = number | string;

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.326_347_874_040_840_8;

/** A range, or a distribution with its two numbers. */
const FORM = /^(?:(?<from>\d+)\.\.(?<to>\d+)|(?<kind>uniform|normal|lognormal):(?<one>\d+),(?<other>\d+))$/;

/** What a spread is at a share from 0 to 1, or so many deviations from its middle. */
type Sampler = (share: number, z: number) => number;

/** Undefined: the text is no spread. */
function samplerOf(text: string): Sampler | undefined {
  const { kind = 'uniform', from, to, one = from, other = to } = FORM.exec(text)?.groups ?? {};
  const [first, second] = [Number(one), Number(other)];
  if (!(Math.max(first, second) <= LARGEST)) return undefined;
  if (kind === 'normal') return (_, z) => first + z * second;
  if (first > second) return undefined;
  if (kind === 'uniform') return (share) => first + share * (second - first);
  const deviation = Math.log(second / first) / Z99;
  return first === 0 ? undefined : (_, z) => first * Math.exp(z * deviation);
}

/** Whether a text is a range or distribution from which milliseconds can be drawn. */
export function isSpread(text: string): boolean {
  return samplerOf(text) !== undefined;
}

/** The milliseconds of a subject, always the same; whole, and never negative. */
export function drawMilliseconds(ms: Milliseconds, subject: string): number {
  const sample = typeof ms === 'number' ? undefined : samplerOf(ms);
  if (sample === undefined) return Number(ms);
  const digits = hash('sha256', `ms ${subject}`, 'hex');
  const [one, other] = [fraction(digits.slice(0, 12)), fraction(digits.slice(12, 24))];
  const z = Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  return Math.min(LARGEST, Math.max(0, Math.round(sample(one, z))));
}

/** Twelve hexadecimal digits as a number from 0 to 1, without its ends. */
function fraction(digits: string): number {
  return (Number.parseInt(digits, 16) + 0.5) / 2 ** 48;
}
