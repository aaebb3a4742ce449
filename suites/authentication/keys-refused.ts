import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { rotatingPairs } from '../../fixtures/chats/combinations.ts';
import {
  KEYS_IN_ADDRESSES,
  KEYS_IN_HEADERS,
  type KeyElsewhere,
  NEAR_MISS_KEYS,
  type NearMissKey,
  nearMissKey,
} from '../../fixtures/credentials/wrong-credentials.ts';
import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { ofEachEndpoint } from '../engine/inputs/judging/is-served.ts';
import { observeRefusal } from '../engine/inputs/judging/observations.ts';
import { chatDraft, endpointDrafts, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judged, type Judgement } from '../engine/model/check.ts';
import { type Credential, type Draft, missingKey } from '../engine/model/exchange.ts';
import { inconclusive, type Ruling } from '../engine/model/ruling.ts';
import type { Stimulus, Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { codeOfError } from '../engine/reading/errors/read-error.ts';

/** A valid request with a credential that must be refused. */
interface WrongKey {
  readonly draft: Draft;
  readonly credential: Credential;
  /** Sent once more, when a cache ahead of authentication may hold the answer to its bytes. */
  readonly repeats?: true;
}

/** The three endpoints, and the chat endpoint with `stream` too, which often has its own handler. */
function everyEndpoint(info: TargetInfo): readonly Draft[] {
  const [chat, ...others] = endpointDrafts(info);
  const streamed = chatDraft({ ...smallestChat(info), stream: true });
  return chat === undefined ? others : [chat, ...others, streamed];
}

/** So many first inputs ask one endpoint each. */
const EACH_ENDPOINT_ONCE = 3;

/** Each at one endpoint, in rotation, and then at the others. */
function onEach(credentials: readonly Credential[], info: TargetInfo): readonly WrongKey[] {
  return rotatingPairs(credentials, everyEndpoint(info)).map(([credential, draft]) => ({
    draft,
    credential,
  }));
}

type WrongKeys = Omit<Stimulus<Trial, WrongKey>, 'stage' | 'cost' | 'send'> &
  Partial<Pick<Stimulus, 'stage'>>;

/** The counterpart is the same request with the primary key; the second exchange, that with a further wrong one. */
function wrongCredentials(declared: WrongKeys, ...further: readonly Credential[]): Stimulus {
  return requestStimulus<WrongKey>({
    stage: 'free',
    ...declared,
    firstCount: Math.min(declared.cappedCount, EACH_ENDPOINT_ONCE),
    requests: ({ draft, credential }) => ({
      counterpart: draft,
      refused: [credential, ...further].map((each) => ({ ...draft, credential: each })),
    }),
  });
}

const NO_KEY: Credential = { kind: 'none' };

/** A credential with a key that is almost right, or in the wrong place. */
const forged = (key: NearMissKey | KeyElsewhere): Credential => ({ kind: 'forged', ...key });

const withoutHeader: Judgement = (trial, info) =>
  refusedUnlikeCounterpart(trial, info, 'the request carries no Authorization header');

export const missingKeyRefused = check({
  id: 'missing-key-refused',
  clauses: ['AUTH-1'],
  title:
    'refuses a request without an Authorization header on every endpoint, even if another header carries the key',
  decides: ofEachEndpoint((name) => `refuses a missing key for ${name}`),
  given: wrongCredentials({
    name: 'missing-key',
    cappedCount: 7,
    // No key at each endpoint, the repetition, and the most common other header.
    fixedCount: 6,
    inputs: (info) => ({
      examples: [
        ...onEach([NO_KEY], info),
        { draft: chatDraft(smallestChat(info)), credential: NO_KEY, repeats: true },
        ...onEach(KEYS_IN_HEADERS.map(forged), info),
      ],
    }),
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
    inputs: (info) => ({ examples: onEach(KEYS_IN_ADDRESSES.map(forged), info) }),
  }),
  holds: withoutHeader,
});

export const wrongKeyRefused = check({
  id: 'wrong-key-refused',
  clauses: ['AUTH-1'],
  title: 'refuses an unknown key, or another authentication scheme, on every endpoint',
  decides: ofEachEndpoint((name) => `refuses a wrong key for ${name}`),
  given: wrongCredentials({
    name: 'wrong-key',
    cappedCount: 10,
    fixedCount: 8,
    inputs: (info) => ({
      examples: onEach(NEAR_MISS_KEYS.map(forged), info),
      arbitrary: fc.record(
        { draft: fc.constantFrom(...everyEndpoint(info)), credential: nearMissKey.map(forged) },
        { noNullPrototype: true },
      ),
    }),
  }),
  holds: (trial, info) => refusedUnlikeCounterpart(trial, info, 'the request carries no known key'),
});

/** The second exchange of each trial is the same request with an unknown key. */
const unscopedKey = wrongCredentials(
  {
    name: 'unscoped-key',
    cappedCount: 4,
    fixedCount: 4,
    inputs: (info) => ({ examples: onEach([{ kind: 'key', name: 'unscoped' }], info) }),
    skipReason: ({ keys }) => (keys.has('unscoped') ? undefined : missingKey('unscoped')),
  },
  ...NEAR_MISS_KEYS.slice(0, 1).map(forged),
);

/** A mistyped key is refused too, with the same status and code, which says nothing about scopes. */
function refusedAsUnknown({ exchanges: [unscoped, unknown] }: Judged, info: TargetInfo): Ruling | undefined {
  if (unknown === undefined) return undefined;
  const [one, other] = [unscoped, unknown].map((exchange) => {
    const answer = answerOf(exchange);
    return [dispositionOf(exchange, info), answer.status, codeOfError(answer, info)];
  });
  if (!isDeepStrictEqual(one, other)) return undefined;
  return inconclusive(
    'the service refuses the key without the inference scope like an unknown key: is it a key of this service?',
  );
}

export const scopeRequired = check({
  id: 'scope-required',
  clauses: ['AUTH-2'],
  title: 'refuses a key without the inference scope on every endpoint',
  decides: ofEachEndpoint((name) => `for ${name}`),
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
