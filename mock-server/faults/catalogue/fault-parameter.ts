/** A whole number. Without a default it may be absent, and its meaning says what absence means. */
export interface IntegerParameter {
  readonly kind: 'integer';
  readonly meaning: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
}

/** One of a list of values. */
export interface ChoiceParameter {
  readonly kind: 'choice';
  readonly meaning: string;
  readonly choices: readonly (string | number)[];
  readonly default: string | number;
}

/** Milliseconds: a whole number, or a range or distribution from which each request draws its own. */
export interface DurationParameter {
  readonly kind: 'duration';
  readonly meaning: string;
  readonly default?: number;
}

/** Any text; for the value of a header, printable ASCII. */
export interface TextParameter {
  readonly kind: 'text' | 'header';
  readonly meaning: string;
  readonly default?: string;
}

export type FaultParameter = IntegerParameter | ChoiceParameter | DurationParameter | TextParameter;

/** The longest timer of Node, in milliseconds. Enough for bytes too. */
export const LARGEST = 2_147_483_647;

/** A whole number with a default, up to the largest. */
export function integer<const Default extends number>(
  meaning: string,
  minimum: number,
  byDefault: Default,
  maximum = LARGEST,
): IntegerParameter & { readonly default: Default } {
  return { kind: 'integer', meaning, minimum, maximum, default: byDefault };
}

/** The header of refusals and of gateways. */
export const RETRY_AFTER = {
  retry_after: {
    kind: 'header',
    meaning:
      'Retry-After: seconds, `date` (so many seconds of the world ahead), `nonsense`, `absent`, or a text as it is',
  },
} as const satisfies Readonly<Record<string, FaultParameter>>;
