/** What became of the draws of a run. */
export interface DrawCounts {
  readonly begun: number;
  /** Begun, and something of it was not sent. */
  readonly cut: number;
  /** Not begun, because the run was interrupted. */
  readonly unsent: number;
}
