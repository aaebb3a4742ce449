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
import { ofEndpoint } from '../engine/inputs/judging/is-served.ts';
import { observeRefusal } from '../engine/inputs/judging/observations.ts';
import { chatDraft, endpointDrafts, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judged, type Judgement } from '../engine/model/check.ts';
import { type Credential, type Draft, missingKey } from '../engine/model/exchange.ts';
import { inconclusive, type Ruling } from '../engine/model/ruling.ts';
import type { Stage, Stimulus, Trial } from '../engine/model/stimulus.ts';
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

interface WrongCredentials extends Pick<
  Stimulus<Trial, WrongKey>,
  'name' | 'cappedCount' | 'fixedCount' | 'skipReason'
> {
  /** Default: `free`. */
  readonly stage?: Stage;
  /** Most important first; each is tried on every endpoint. */
  readonly credentials: readonly Credential[];
  /** Tried again on a chat whose answer a cache in front of authentication may hold. */
  readonly repeated?: Credential;
  /** Tried after the others. */
  readonly further?: readonly Credential[];
  readonly arbitrary?: fc.Arbitrary<Credential>;
  /** Sent after each of them, with the same request. */
  readonly followedBy?: Credential;
}

/** The three endpoints, and the chat endpoint with `stream` too, which often has its own handler. */
function everyEndpoint(info: TargetInfo): readonly Draft[] {
  const [chat, ...others] = endpointDrafts(info);
  const streamed = chatDraft({ ...smallestChat(info), stream: true });
  return chat === undefined ? others : [chat, ...others, streamed];
}

/** So many first inputs ask one endpoint each. */
const EACH_ENDPOINT_ONCE = 3;

/** Each credential on each of the three endpoints; the counterpart is the same request with the primary key. */
function wrongCredentials(declaration: WrongCredentials): Stimulus {
  const { credentials, repeated, further = [], arbitrary, followedBy, ...stated } = declaration;
  const beside = followedBy === undefined ? [] : [followedBy];
  return requestStimulus<WrongKey>({
    stage: 'free',
    ...stated,
    firstCount: Math.min(stated.cappedCount, EACH_ENDPOINT_ONCE),
    inputs: (info) => {
      const drafts = everyEndpoint(info);
      // Each at one endpoint, in rotation, and then at the others.
      const onEach = (some: readonly Credential[]): readonly WrongKey[] =>
        rotatingPairs(some, drafts).map(([credential, draft]) => ({ draft, credential }));
      const again = repeated && { draft: chatDraft(smallestChat(info)), credential: repeated };
      const examples = [
        ...onEach(credentials),
        ...(again ? [{ ...again, repeats: true } as const] : []),
        ...onEach(further),
      ];
      if (arbitrary === undefined) return { examples };
      const draft = fc.constantFrom(...drafts);
      return {
        examples,
        arbitrary: fc.record({ draft, credential: arbitrary }, { noNullPrototype: true }),
      };
    },
    requests: ({ draft, credential }) => ({
      counterpart: draft,
      refused: [credential, ...beside].map((each) => ({ ...draft, credential: each })),
    }),
  });
}

/** A credential with a key that is almost right, or in the wrong place. */
const forged = (key: NearMissKey | KeyElsewhere): Credential => ({ kind: 'forged', ...key });

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

/** The second exchange of each trial is the same request with an unknown key. */
const unscopedKey = wrongCredentials({
  name: 'unscoped-key',
  cappedCount: 4,
  fixedCount: 4,
  credentials: [{ kind: 'key', name: 'unscoped' }],
  ...(NEAR_MISS_KEYS[0] !== undefined && { followedBy: forged(NEAR_MISS_KEYS[0]) }),
  skipReason: ({ keys }) => (keys.has('unscoped') ? undefined : missingKey('unscoped')),
});

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
