import { z } from 'zod';
import { keyName } from './exchange-schema.ts';
import type { Fixed, KeyName } from './exchange.ts';

// Only what reads a journal loads the schemas: all others import the types.

/** What is known of a target beyond the specification. */
export const profile = z.object({
  name: z.string().exactOptional(),
  /** The model that requests go to, in place of the cheapest listed one. */
  model: z.string().exactOptional(),
  /** Facts about models, by ID; they win over what the target says. */
  models: z
    .record(
      z.string(),
      z.object({ contextTokens: z.number().exactOptional(), vision: z.boolean().exactOptional() }),
    )
    .exactOptional(),
  /** Open points (names from `OPEN_POINTS`) and the value each must have. */
  pins: z.record(z.string(), z.unknown()).exactOptional(),
});

export type Profile = Fixed<z.infer<typeof profile>>;

/** What was read of one listed model. */
const model = z.object({
  id: z.string(),
  /** Tokens of input and output together. */
  contextTokens: z.number().exactOptional(),
  maxOutputTokens: z.number().exactOptional(),
  /** Whether image input is enabled, when the vision answer, the record or the profile says so. */
  vision: z.boolean().exactOptional(),
  /** Comparable within one list only; absent when the record names no price. */
  price: z.number().exactOptional(),
  /** Present: the preflight found that it refuses or fails at every chat. MOD-2 judges that; nothing else is sent to it. */
  unusable: z.literal(true).exactOptional(),
});

export type ListedModel = Fixed<z.infer<typeof model>>;

/** What a run finds of its target before it runs a check. */
export const targetInfo = z.object({
  keys: z.array(keyName).transform((names): ReadonlySet<KeyName> => new Set(names)),
  /** Where records hold the ID, given that those at the likeliest place are refused: a JSON pointer. */
  modelIdAt: z.string().exactOptional(),
  /** The models listed to the primary key, cheapest first; a stand-in where `hasNoList`. */
  models: z.tuple([model], model),
  /** Present: the models endpoint answered with something that is no list, so no chat can be sent. */
  hasNoList: z.literal(true).exactOptional(),
  /** The models listed to the second key, when there is one and its list could be read. */
  secondModels: z.array(model).exactOptional(),
  /** Whether faults can be armed and the workspace be read. */
  control: z.boolean(),
  /** The most output tokens a request asks for unless its check needs more. */
  outputTokens: z.number(),
  /** Who may hold answers back on their way: their arrival then says nothing of when the target sent them. */
  bufferedBy: z.string().exactOptional(),
  /** Whether completions are scarce: stimuli then share counterparts. */
  thrifty: z.boolean(),
});

/** What a run knows of its target: read in the preflight, or pinned by the profile. */
export type TargetInfo = Fixed<z.infer<typeof targetInfo>> & { readonly profile: Profile };

/** Where records may hold the ID of a model in several places (MOD-3): what is known for each, the likeliest first. */
export type Readings = readonly [TargetInfo, ...TargetInfo[]];
