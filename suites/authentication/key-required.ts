import { NEAR_MISS_KEYS, nearMissKey } from '../../fixtures/near-miss-keys.ts';
import { check } from '../kit/check.ts';
import { refusedUnlikeControl } from '../kit/judging/is-refused.ts';
import { forged } from './forged.ts';
import { wrongCredentials } from './credential-stimulus.ts';

export const missingKeyRefused = check({
  id: 'missing-key-refused',
  clauses: ['AUTH-1'],
  title: 'refuses a request without an Authorization header, on every endpoint',
  given: wrongCredentials({ name: 'missing-key', few: 4, credentials: [{ kind: 'none' }] }),
  holds: (trial, survey) => refusedUnlikeControl(trial, survey, 'it carries no Authorization header'),
});

export const wrongKeyRefused = check({
  id: 'wrong-key-refused',
  clauses: ['AUTH-1'],
  title: 'refuses a request with an unknown key, or under another scheme, on every endpoint',
  given: wrongCredentials({
    name: 'wrong-key',
    few: 15,
    credentials: NEAR_MISS_KEYS.map(forged),
    drawn: nearMissKey.map(forged),
  }),
  holds: (trial, survey) => refusedUnlikeControl(trial, survey, 'it carries no known key'),
});
