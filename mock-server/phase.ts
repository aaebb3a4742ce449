import type { Received } from './received.ts';

/** The points of a transaction at which a trouble can strike, in their order. */
export const PHASES = [
  'before-authentication',
  'after-validation',
  'after-reservation',
  'during-generation',
  'after-debit',
  'before-headers',
  'inside-body',
] as const;

export type Phase = (typeof PHASES)[number];

/**
 * Called at every phase that a completion request reaches. Throwing ends the request there: with an error while
 * nothing is sent, with a cut connection inside the body. What was debited stays debited.
 */
export type Strike = (phase: Phase, request: Received) => void;
