import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';

/** What the lists in front of an adversary do keep. */
export const LISTED: readonly ClauseId[] = ['SVC-2', 'SVC-3', 'MOD-1', 'VIS-1', 'VER-1'];

/** What whoever refuses in order keeps. */
export const REFUSED: readonly ClauseId[] = ['ERR-1', 'ERR-2', 'ERR-10'];

/** What whoever completes in order keeps, behind lists. */
export const COMPLETED: readonly ClauseId[] = [
  ...LISTED,
  'SVC-1',
  'SVC-4',
  'REQ-7',
  'REQ-9',
  'RES-1',
  'RES-2',
  'RES-3',
  'RES-4',
  'IDEM-3',
];
