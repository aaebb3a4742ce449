import type { KeyName } from './exchange.ts';

/** What was read of one listed model. */
export interface ListedModel {
  readonly id: string;
  /** Tokens of input and output together, when the record or the profile says so. */
  readonly contextTokens?: number;
  /** Whether image input is enabled, when the vision answer, the record or the profile says so. */
  readonly vision?: boolean;
  /** Comparable within one list only; undefined when the record names no price. */
  readonly price?: number;
  /** Present: the preflight found that it refuses or fails at every chat. MOD-2 judges that; nothing else is sent to it. */
  readonly unusable?: true;
}

/** What a run knows of its target before it runs a check: read in the preflight, or pinned by the profile. */
export interface TargetInfo {
  readonly profile: Profile;
  readonly keys: ReadonlySet<KeyName>;
  /** Where records hold the ID, given that those at the likeliest place are refused: a JSON pointer. */
  readonly modelIdAt?: string;
  /** The models listed to the primary key, cheapest first; a stand-in where `hasNoList`. */
  readonly models: readonly [ListedModel, ...ListedModel[]];
  /** Present: the models endpoint answered with something that is no list, so no chat can be sent. */
  readonly hasNoList?: true;
  /** The models listed to the second key, when there is one and its list could be read. */
  readonly secondModels?: readonly ListedModel[];
  /** Whether faults can be armed and the workspace be read. */
  readonly control: boolean;
  /** The most output tokens a request asks for unless its check needs more. */
  readonly outputTokens: number;
  /** Who may hold answers back on their way: their arrival then says nothing of when the target sent them. */
  readonly bufferedBy?: string;
  /** Whether completions are scarce: stimuli then share counterparts. */
  readonly thrifty: boolean;
}

/** What is known of a target beyond the specification. */
export interface Profile {
  readonly name?: string;
  /** The model that requests go to, in place of the cheapest listed one. */
  readonly model?: string;
  /** Facts about models, by ID; they win over what the target says. */
  readonly models?: Readonly<Record<string, { readonly contextTokens?: number; readonly vision?: boolean }>>;
  readonly limits?: {
    /** How much of the body of an answer is kept and judged; the rest is only counted and hashed. */
    readonly answerBytes?: number;
  };
  /** Open points (names from `OPEN_POINTS`) and the value each must have. */
  readonly pins?: Readonly<Record<string, unknown>>;
}
