/** The options of a trial of a caller as they were given. */
export interface CallerFlags {
  readonly scenario?: readonly string[];
  readonly report?: string;
  readonly seed?: number;
  /** Seconds. */
  readonly deadline?: number;
  readonly realTime?: boolean;
  readonly envBaseUrl?: readonly string[];
  readonly envKey?: readonly string[];
  readonly quiet?: boolean;
}
