import type { KeyElsewhere } from '../../fixtures/credentials/keys-elsewhere.ts';
import type { NearMissKey } from '../../fixtures/credentials/near-miss-keys.ts';
import type { Credential } from '../kit/model/exchange.ts';

/** The credential that bears a key which is almost right, or in the wrong place. */
export const forged = (key: NearMissKey | KeyElsewhere): Credential => ({ kind: 'forged', ...key });
