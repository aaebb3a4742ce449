import type { NearMissKey } from '../../fixtures/near-miss-keys.ts';
import type { Credential } from '../kit/exchange.ts';

/** The credential that bears a key which is almost right. */
export const forged = ({ label, header }: NearMissKey): Credential => ({ kind: 'forged', label, header });
