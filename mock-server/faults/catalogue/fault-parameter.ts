import type { Phase } from './phases.ts';

/** A fault: a failure that the specification foresees. A service that meets it stays conformant. */
export interface FaultDescription {
  readonly meaning: string;
  /** Where it can trigger, in order. */
  readonly phases: readonly Phase[];
  readonly defaultPhase: Phase;
  /** The requests for which it can trigger. */
  readonly appliesTo: 'any' | 'completions' | 'streams';
  readonly parameters: FaultParameters;
}

export type FaultParameters = Readonly<Record<string, FaultParameter>>;

/** Without a default it may be absent, and its meaning says what absence means. */
export type FaultParameter = { readonly meaning: string } & (
  | {
      /** A whole number. */
      readonly kind: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly isNotZero?: true;
      readonly default?: number;
    }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string }
  /** Milliseconds: a whole number, or a range or distribution from which each request draws its own. */
  | { readonly kind: 'duration'; readonly default?: number }
  /** Any text; for the value of a header, printable ASCII. */
  | { readonly kind: 'text' | 'header'; readonly default?: string }
);

/** The longest timer of Node, in milliseconds. Enough for bytes too. */
export const LARGEST = 2_147_483_647;

/** A whole number with a default, up to the largest. */
export function integer(meaning: string, minimum: number, byDefault: number, maximum = LARGEST) {
  return { kind: 'integer', meaning, minimum, maximum, default: byDefault } as const;
}

/** One of these words; the first by default. */
export function choice<const Choice extends string>(
  meaning: string,
  choices: readonly [Choice, ...Choice[]],
) {
  return { kind: 'choice', meaning, choices, default: choices[0] } as const;
}
