/** How long callers wait where they are told to, and how long the mock then does. */
export interface Timeouts {
  readonly timeoutMs: number;
  readonly answerAfterMs: number;
}

/** What the specification says. */
export const STATED_TIMEOUT_MS = 120_000;

/** Told to wait for less, a caller shows within seconds that it does as it was told. */
export const SHORT_TIMEOUTS: Timeouts = { timeoutMs: 1500, answerAfterMs: 6000 };
export const REAL_TIMEOUTS: Timeouts = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };
