import type { KeyElsewhere } from '../../fixtures/keys-elsewhere.ts';
import type { NearMissKey } from '../../fixtures/near-miss-keys.ts';
import type { Credential } from '../kit/exchange.ts';

/** The credential that bears a key which is almost right, or in the wrong place. */
export const forged = (key: NearMissKey | KeyElsewhere): Credential => ({ kind: 'forged', ...key });
