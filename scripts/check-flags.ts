/** The options of a check as they were given. */
export interface CheckFlags {
  readonly baseUrl?: string;
  readonly controlUrl?: string;
  readonly apiKeyFile?: string;
  readonly profile?: string;
  readonly report?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly seed?: number;
  readonly runs?: number | 'few';
  readonly concurrency?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly maxRequests?: number;
  readonly maxCompletions?: number;
  readonly maxOutputTokens?: number;
  readonly allow?: readonly Permission[];
  readonly failOn?: readonly Stricter[];
  readonly header?: readonly string[];
  readonly quiet?: boolean;
}

/** What a run does only by leave. */
export const PERMISSIONS = ['disruptive', 'costly'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** What else makes a run fail, for those who want it to. */
export const STRICTER = ['warn', 'not-exercised'] as const;

export type Stricter = (typeof STRICTER)[number];

/** Random draws are seeded with 32 bits, one of them the sign. */
export const LARGEST_SEED = 2 ** 31 - 1;
