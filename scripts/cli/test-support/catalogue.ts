import { check } from '../../../suites/engine/model/check.ts';
import { HOLDS } from '../../../suites/engine/model/ruling.ts';
import { stimulus } from '../../../suites/engine/model/stimulus.ts';
import type { Catalogue } from '../modules/catalogue.ts';

const silence = stimulus({
  name: 'one-silent-request',
  stage: 'free',
  cappedCount: 0,
  inputs: () => ({ examples: [] }),
  cost: () => ({}),
  send: () => Promise.resolve({ exchanges: [] }),
});

const about = { given: silence, holds: () => HOLDS };

/** Two checks of two sections and an invariant. */
export const CATALOGUE: Catalogue = {
  checks: [
    check({ id: 'unknown-field-refused', clauses: ['REQ-6'], title: 'refuses any sixth field', ...about }),
    check({ id: 'stream-well-formed', clauses: ['STR-3', 'STR-1'], title: 'ends its streams', ...about }),
  ],
  invariants: [
    { id: 'request-ids-unique', clauses: ['ERR-2'], title: 'shares no request ID', judge: () => () => HOLDS },
  ],
};
