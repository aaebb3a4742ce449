import { hash } from 'node:crypto';

/** The longest timer of Node, in milliseconds. */
export const LARGEST = 2_147_483_647;

/** So many, or a range from which they are drawn: `100..500`. */
export type Milliseconds = number | string;

const RANGE = /^(?<from>\d+)\.\.(?<to>\d+)$/;

function boundsOf(range: string): readonly [from: number, to: number] {
  const { from, to } = RANGE.exec(range)?.groups ?? {};
  return [Number(from), Number(to)];
}

export function isRange(text: string): boolean {
  const [from, to] = boundsOf(text);
  return from <= to && to <= LARGEST;
}

/** The milliseconds of a subject, always the same. */
export function drawMilliseconds(ms: Milliseconds, subject: string): number {
  if (typeof ms === 'number') return ms;
  const [from, to] = boundsOf(ms);
  const share = Number.parseInt(hash('sha256', `ms ${subject}`, 'hex').slice(0, 12), 16) / 2 ** 48;
  return from + Math.round(share * (to - from));
}
