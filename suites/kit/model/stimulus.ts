import type * as fc from 'fast-check';
import type { Cost } from './cost.ts';
import type { Deployment } from './deployment.ts';
import type { Draft, Exchange } from './exchange.ts';
import type { TargetInfo } from './target.ts';

/** When a stimulus is sent, and which permission it needs. */
export type Stage = 'free' | 'paid' | 'disruptive' | 'costly' | 'control';

/** In this order: what is sent last, a burst until something gives, takes whatever the caps have left. */
export const STAGES: readonly Stage[] = ['free', 'paid', 'control', 'costly', 'disruptive'];

/** What a stimulus sends with. Caps, keys, timing and the record are the sender's business. */
export interface Sender {
  readonly send: (draft: Draft) => Promise<Exchange>;
  /** Sends a counterpart; an equal one that was already sent in this run is answered from the record. */
  readonly sendCounterpart: (draft: Draft) => Promise<Exchange>;
  /** Like `send`, but a rate limit error is taken as the answer: the run does not slow down, and nothing is sent again. */
  readonly provoke: (draft: Draft) => Promise<Exchange>;
  /** What is behind the target; absent without a control URL. */
  readonly deployment?: Deployment;
}

/** The inputs of a stimulus: those that must be tried, most telling first, and how to draw more. */
export interface Inputs<I> {
  readonly examples: readonly I[];
  readonly arbitrary?: fc.Arbitrary<I>;
}

/** A way to provoke the service: which inputs, and how they are sent. Everything that waits is here. */
export interface Stimulus<T extends Trial = Trial, I = unknown> {
  /** Words joined by hyphens; a part of every exchange's ID. */
  readonly name: string;
  readonly stage: Stage;
  /** How many inputs a run with small caps tries. */
  readonly smokeCount: number;
  /** How many of these are always the first of its inputs, whatever the seed; half of them unless said. */
  readonly fixedCount?: number;
  /** Whether nothing else may be in flight meanwhile, because time or load is judged. */
  readonly alone?: boolean;
  /** True when it sends no chat, not even a counterpart. */
  readonly readsOnly?: boolean;
  /** Why it cannot be sent to this target, or undefined when it can. */
  readonly skipReason?: (info: TargetInfo) => string | undefined;
  readonly inputs: (info: TargetInfo) => Inputs<I>;
  /** What sending an input costs at most; beyond it nothing is sent, and the failure is ours. */
  readonly cost: (input: I, info: TargetInfo) => Cost;
  readonly send: (input: I, sender: Sender, info: TargetInfo) => Promise<T>;
}

/** Declares a stimulus; the type of its inputs stays its own business. */
export function stimulus<T extends Trial, I>(declaration: Stimulus<T, I>): Stimulus<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine sends a stimulus only inputs of its own
  return declaration as unknown as Stimulus<T>;
}

/** Why a stimulus cannot be sent to a target in this run; undefined when it can. */
export function skipReasonOf(
  { stage, skipReason }: Stimulus,
  info: TargetInfo,
  allow: ReadonlySet<'disruptive' | 'costly'>,
): string | undefined {
  // What needs the control URL says so itself.
  const isForbidden = (stage === 'disruptive' || stage === 'costly') && !allow.has(stage);
  return isForbidden ? `it is ${stage}: permit it with --allow ${stage}` : skipReason?.(info);
}

/** What one draw of a stimulus sent, in the order it was sent. */
export interface Trial {
  readonly exchanges: readonly Exchange[];
  /** The counterpart of a refused request: it differs from `exchanges[0]` in one place only. */
  readonly counterpart?: Exchange;
}
