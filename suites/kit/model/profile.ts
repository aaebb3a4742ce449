/** What is known of a target beyond the specification. */
export interface Profile {
  readonly name?: string;
  /** The model that requests go to, in place of the cheapest listed one. */
  readonly model?: string;
  /** Facts about models, by ID; they win over what the target says. */
  readonly models?: Readonly<Record<string, { readonly contextTokens?: number; readonly vision?: boolean }>>;
  /** Open points (names from `OPEN_POINTS`) and the value each must have. */
  readonly pins?: Readonly<Record<string, unknown>>;
}
