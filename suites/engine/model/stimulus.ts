import type * as fc from 'fast-check';
import type { Deployment } from './deployment.ts';
import { type Draft, type Exchange, isChargeable } from './exchange.ts';
import type { JsonReport } from './summary.ts';
import type { TargetInfo } from './target.ts';

/** When a stimulus is sent, and which permission it needs. */
export type Stage = 'free' | 'paid' | 'disruptive' | 'costly' | 'control';

/** In this order: the last one, a burst up to the rate limit, uses the rest of the caps. */
export const STAGES: readonly Stage[] = ['free', 'paid', 'control', 'costly', 'disruptive'];

/** Sends the requests of a stimulus, and handles caps, keys, timing and the record. */
export interface Sender {
  readonly send: (draft: Draft) => Promise<Exchange>;
  /** Sends a counterpart; an equal one that was already sent in this run is answered from the record. */
  readonly sendCounterpart: (draft: Draft) => Promise<Exchange>;
  /** Like `send`, but a rate limit error is taken as the answer: the run does not slow down, and nothing is sent again. */
  readonly provoke: (draft: Draft) => Promise<Exchange>;
  /** Present: the target is reached by HTTPS. */
  readonly isSecure?: true;
  /** Faults and the workspace; absent without a control URL. */
  readonly deployment?: Deployment;
}

/** The inputs of a stimulus: those that must be tried, most telling first, and how to draw more. */
export interface Inputs<I> {
  readonly examples: readonly I[];
  readonly arbitrary?: fc.Arbitrary<I>;
}

/** A way to provoke the service: which inputs, and how they are sent. Only stimuli wait. */
export interface Stimulus<T extends Trial = Trial, I = unknown> {
  /** Words joined by hyphens; a part of every exchange's ID. */
  readonly name: string;
  readonly stage: Stage;
  /** How many inputs a run with small caps tries. */
  readonly cappedCount: number;
  /** How many the smallest run tries; a quarter of these unless said. */
  readonly fewestCount?: number;
  /** How many of these are always the first of its inputs, whatever the seed; half of them unless said. */
  readonly fixedCount?: number;
  /** How many of its first inputs it takes to exercise each duty of its clauses; 1 unless said. */
  readonly firstCount?: number;
  /** Whether each further input is sent only where those before it decide nothing. */
  readonly untilDecided?: true;
  /**
   * Whether nothing else may be in flight meanwhile, because time or load is judged, or others would be disturbed; `last`:
   * nothing may follow either, because the target may not survive it.
   */
  readonly alone?: true | 'last' | ((input: I) => boolean);
  /** True when it sends no chat, not even a counterpart. */
  readonly readsOnly?: boolean;
  /** Why it cannot be sent to this target, or undefined when it can. */
  readonly skipReason?: (info: TargetInfo) => string | undefined;
  readonly inputs: (info: TargetInfo) => Inputs<I>;
  /** What sending an input costs at most. */
  readonly cost: (input: I, info: TargetInfo) => Cost;
  readonly send: (input: I, sender: Sender, info: TargetInfo) => Promise<T>;
}

/** Declares a stimulus, and hides the type of its inputs. */
export function stimulus<T extends Trial, I>(declaration: Stimulus<T, I>): Stimulus<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine sends a stimulus only inputs of its own
  return declaration as unknown as Stimulus<T>;
}

/** Why a stimulus cannot be sent to a target in this run; undefined when it can. `allow`: the stages that are permitted. */
export function skipReasonOf(given: Stimulus, info: TargetInfo, allow: ReadonlySet<Stage>) {
  const { stage, skipReason, readsOnly } = given;
  if (info.hasNoList === true && readsOnly !== true) return 'no model is known: see SVC-2';
  // A stimulus that needs the control URL says so itself.
  const isForbidden = (stage === 'disruptive' || stage === 'costly') && !allow.has(stage);
  return isForbidden ? `needs --allow ${stage}` : skipReason?.(info);
}

/** What one draw of a stimulus sent, in the order it was sent. */
export interface Trial {
  readonly exchanges: readonly Exchange[];
  /** The counterpart of a refused request: it differs from `exchanges[0]` in one place only. */
  readonly counterpart?: Exchange;
  /** What was drawn; absent in the journal of an older release. */
  readonly input?: DrawnInput;
}

/** Its counterpart first. */
export function exchangesOf({ exchanges, counterpart }: Trial): readonly Exchange[] {
  return counterpart === undefined ? exchanges : [counterpart, ...exchanges];
}

/**
 * What one draw of a stimulus sends at most. A request counts once, however often its rate is refused and it is sent
 * again. Plan, order and shares of a run are made from it; what keeps a run within its caps is the sender.
 */
export interface Cost {
  /** Requests that cannot become a completion. */
  readonly reads?: number;
  /** Chats that must be refused: completions only if the service accepts them nevertheless. */
  readonly refused?: number;
  /** Chats that must or may be served: one completion each. */
  readonly served?: number;
  /** The counterparts; equal ones are sent once in a run. */
  readonly counterparts?: readonly Draft[];
}

/** Whether anything of a draw is left to send in a run that requests no completions. */
export function isSendable({ reads = 0, refused = 0, served = 0, counterparts = [] }: Cost): boolean {
  if (served > 0) return false;
  return reads + refused > 0 || counterparts.some((counterpart) => !isChargeable(counterpart));
}

/** A failure of an earlier run: the next run of that target sends its input first. */
export type RememberedFailure = NonNullable<JsonReport['remembered']>[number];

/** An input of a stimulus, and how the stimulus makes it again; two of equal text send equal requests. */
export type DrawnInput = NonNullable<RememberedFailure['input']>;

/** What may become of a failure of an earlier run, the worst first. */
export const FATES = ['still fails', 'undecided', 'fixed'] as const;

export function isSameInput(one: DrawnInput | undefined, other: DrawnInput | undefined): boolean {
  return one !== undefined && one.stimulus === other?.stimulus && one.text === other.text;
}
