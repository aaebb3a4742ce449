import { inconclusive, notExercised, type Ruling } from '../model/ruling.ts';

/**
 * `not-offered`: the deployment says that it cannot do that. `not-done`: it certainly did not do it. `unknown`: it may
 * have done it.
 */
export type ControlErrorKind = 'not-offered' | 'not-done' | 'unknown';

/** The control URL did not do what it was asked. That says nothing of the target. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly kind: ControlErrorKind;

  constructor(kind: ControlErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }

  /** What it means for a check that needed the answer. */
  get ruling(): Ruling {
    return this.kind === 'not-offered' ? notExercised(this.message) : inconclusive(this.message);
  }
}
