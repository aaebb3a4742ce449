import { isDeepStrictEqual } from 'node:util';
import { NEAR_MISS_KEYS } from '../../fixtures/credentials/wrong-credentials.ts';
import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { ofEndpoint } from '../engine/inputs/judging/is-served.ts';
import { observeRefusal } from '../engine/inputs/judging/observations.ts';
import { check, type Judged } from '../engine/model/check.ts';
import { type Exchange, missingKey } from '../engine/model/exchange.ts';
import { inconclusive, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { codeOfError } from '../engine/reading/errors/read-error.ts';
import { wrongCredentials, forged } from './credential-stimulus.ts';

/** The second exchange of each trial is the same request with an unknown key. */
const unscopedKey = wrongCredentials({
  name: 'unscoped-key',
  cappedCount: 4,
  fixedCount: 4,
  credentials: [{ kind: 'key', name: 'unscoped' }],
  ...(NEAR_MISS_KEYS[0] !== undefined && { followedBy: forged(NEAR_MISS_KEYS[0]) }),
  skipReason: ({ keys }) => (keys.has('unscoped') ? undefined : missingKey('unscoped')),
});

/** A mistyped key is refused too, which says nothing about scopes. */
function refusedAsUnknown({ exchanges: [unscoped, unknown] }: Judged, info: TargetInfo): Ruling | undefined {
  if (unknown === undefined) return undefined;
  if (!isDeepStrictEqual(refusalIn(unscoped, info), refusalIn(unknown, info))) return undefined;
  return inconclusive(
    'the service refuses the key without the inference scope like an unknown key: is it a key of this service?',
  );
}

/** The status and code of a refusal, for comparison. */
function refusalIn(exchange: Exchange, info: TargetInfo): readonly unknown[] {
  const answer = answerOf(exchange);
  return [dispositionOf(exchange, info), answer.status, codeOfError(answer, info)];
}

export const scopeRequired = check({
  id: 'scope-required',
  clauses: ['AUTH-2'],
  title: 'refuses a key without the inference scope on every endpoint',
  decides: {
    'for chats': ofEndpoint('chat'),
    'for models': ofEndpoint('models'),
    'for vision': ofEndpoint('vision'),
  },
  given: unscopedKey,
  holds: (trial, info) => {
    const ruling = refusedUnlikeCounterpart(trial, info, 'the key lacks the inference scope');
    return ruling.kind === 'holds' ? (refusedAsUnknown(trial, info) ?? ruling) : ruling;
  },
});

export const missingScopeObserved = check({
  id: 'missing-scope-error',
  clauses: ['AUTH-4'],
  title: 'chooses a status and a code for a key without the inference scope',
  given: unscopedKey,
  holds: (trial, info) => {
    const ruling = observeRefusal('missing_scope', trial.exchanges[0], info);
    return ruling.kind === 'observed' ? (refusedAsUnknown(trial, info) ?? ruling) : ruling;
  },
});
