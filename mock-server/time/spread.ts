import { hash } from 'node:crypto';

/** The longest timer of Node, in milliseconds. */
export const LARGEST = 2_147_483_647;

/** Milliseconds: so many, or drawn from `100..500`, `normal:MEAN,DEVIATION` or `lognormal:P50,P99`. */
export type Milliseconds = number | string;

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.326_347_874_040_840_8;

/** The spreads: how each is written, of which two numbers, and what `share` of it is, or `z` deviations from its middle. */
const SPREADS: readonly {
  readonly form: RegExp;
  readonly isPossible: (one: number, other: number) => boolean;
  readonly sample: (one: number, other: number, share: number, z: number) => number;
}[] = [
  {
    form: /^(?:uniform:)?(\d+)(?:\.\.|,)(\d+)$/,
    isPossible: (from, to) => from <= to,
    sample: (from, to, share) => from + share * (to - from),
  },
  {
    form: /^normal:(\d+),(\d+)$/,
    isPossible: () => true,
    sample: (mean, deviation, _, z) => mean + z * deviation,
  },
  {
    form: /^lognormal:(\d+),(\d+)$/,
    isPossible: (p50, p99) => p50 > 0 && p50 <= p99,
    sample: (p50, p99, _, z) => Math.exp(Math.log(p50) + (z * (Math.log(p99) - Math.log(p50))) / Z99),
  },
];

/** Whether a text is a range or distribution from which milliseconds can be drawn. */
export function isSpread(text: string): boolean {
  return samplerOf(text) !== undefined;
}

function samplerOf(text: string): ((share: number, z: number) => number) | undefined {
  for (const { form, isPossible, sample } of SPREADS) {
    const [, one, other] = form.exec(text)?.map(Number) ?? [];
    if (one === undefined || other === undefined) continue;
    if (Math.max(one, other) <= LARGEST && isPossible(one, other))
      return (share, z) => sample(one, other, share, z);
  }
  return undefined;
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
