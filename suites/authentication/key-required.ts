import {
  NEAR_MISS_KEYS,
  nearMissKey,
  KEYS_IN_ADDRESSES,
  KEYS_IN_HEADERS,
} from '../../fixtures/credentials/wrong-credentials.ts';
import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { ofEndpoint } from '../engine/inputs/judging/is-served.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import { forged, wrongCredentials } from './credential-stimulus.ts';

const withoutHeader: Judgement = (trial, info) =>
  refusedUnlikeCounterpart(trial, info, 'the request carries no Authorization header');

export const missingKeyRefused = check({
  id: 'missing-key-refused',
  clauses: ['AUTH-1'],
  title:
    'refuses a request without an Authorization header on every endpoint, even if another header carries the key',
  decides: {
    'refuses a missing key for chats': ofEndpoint('chat'),
    'refuses a missing key for models': ofEndpoint('models'),
    'refuses a missing key for vision': ofEndpoint('vision'),
  },
  given: wrongCredentials({
    name: 'missing-key',
    cappedCount: 7,
    // No key at each endpoint, the repetition, and the most common other header.
    fixedCount: 6,
    credentials: [{ kind: 'none' }],
    repeated: { kind: 'none' },
    further: KEYS_IN_HEADERS.map(forged),
  }),
  holds: withoutHeader,
});

/** Needs permission: proxies and the service may log the URL. */
export const keyInAddressRefused = check({
  id: 'key-in-address-refused',
  clauses: ['AUTH-1'],
  title: 'refuses a request that carries the key in its URL and no Authorization header',
  decides: 'refuses a key in the address',
  given: wrongCredentials({
    name: 'key-in-address',
    stage: 'disruptive',
    cappedCount: 1,
    fixedCount: 0,
    credentials: KEYS_IN_ADDRESSES.map(forged),
  }),
  holds: withoutHeader,
});

export const wrongKeyRefused = check({
  id: 'wrong-key-refused',
  clauses: ['AUTH-1'],
  title: 'refuses an unknown key, or another authentication scheme, on every endpoint',
  decides: {
    'refuses a wrong key for chats': ofEndpoint('chat'),
    'refuses a wrong key for models': ofEndpoint('models'),
    'refuses a wrong key for vision': ofEndpoint('vision'),
  },
  given: wrongCredentials({
    name: 'wrong-key',
    cappedCount: 10,
    fixedCount: 8,
    credentials: NEAR_MISS_KEYS.map(forged),
    arbitrary: nearMissKey.map(forged),
  }),
  holds: (trial, info) => refusedUnlikeCounterpart(trial, info, 'the request carries no known key'),
});
