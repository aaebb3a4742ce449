import type { z } from 'zod';
import type { profile } from './entry-schema.ts';
import type { Fixed } from './exchange.ts';
import type { TargetInfoEntry } from './journal.ts';

/** What a run knows of its target before it runs a check: read in the preflight, or pinned by the profile. */
export type TargetInfo = TargetInfoEntry['survey'] & { readonly profile: Profile };

export type ListedModel = TargetInfo['models'][number];

export type Profile = Fixed<z.infer<typeof profile>>;
