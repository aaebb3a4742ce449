import { InvalidArgumentError } from 'commander';

/** How long a run may take: no longer than a timer can wait. */
export const DURATION = /^(?:[1-9]\d{0,3}[sm]|[1-9]\d?h)$/;

export const MAX_TIME_FORM = 'must be a time such as 90s, 15m or 2h';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** The time as it is given. */
export function maxTimeOf(text: string): string {
  if (!DURATION.test(text)) throw new InvalidArgumentError(MAX_TIME_FORM);
  return text;
}

export function maxTimeMs(text: string): number {
  return Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? 0);
}
