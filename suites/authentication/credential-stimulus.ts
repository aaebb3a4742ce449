import * as fc from 'fast-check';
import { rotatingPairs } from '../../fixtures/chats/combinations.ts';
import type { KeyElsewhere, NearMissKey } from '../../fixtures/credentials/wrong-credentials.ts';
import { chatDraft, endpointDrafts, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import type { Draft, Credential } from '../engine/model/exchange.ts';
import type { Stage, Stimulus, Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';

/** A valid request with a credential that must be refused. */
interface WrongKey {
  readonly draft: Draft;
  readonly credential: Credential;
  /** Sent once more, when a cache ahead of authentication may hold the answer to its bytes. */
  readonly repeats?: true;
}

export interface WrongCredentials extends Pick<
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

/** Each credential at one endpoint, in rotation, and then at the others. */
function onEveryEndpoint(credentials: readonly Credential[], drafts: readonly Draft[]): readonly WrongKey[] {
  return rotatingPairs(credentials, drafts).map(([credential, draft]) => ({ draft, credential }));
}

/** So many first inputs ask one endpoint each. */
const EACH_ENDPOINT_ONCE = 3;

/** Each credential on each of the three endpoints; the counterpart is the same request with the primary key. */
export function wrongCredentials(declaration: WrongCredentials): Stimulus {
  const { credentials, repeated, further = [], arbitrary, followedBy, ...stated } = declaration;
  const beside = followedBy === undefined ? [] : [followedBy];
  return requestStimulus<WrongKey>({
    stage: 'free',
    ...stated,
    firstCount: Math.min(stated.cappedCount, EACH_ENDPOINT_ONCE),
    inputs: (info) => {
      const drafts = everyEndpoint(info);
      const again = repeated && { draft: chatDraft(smallestChat(info)), credential: repeated };
      return {
        examples: [
          ...onEveryEndpoint(credentials, drafts),
          ...(again === undefined ? [] : [{ ...again, repeats: true } as const]),
          ...onEveryEndpoint(further, drafts),
        ],
        ...(arbitrary && {
          arbitrary: fc
            .tuple(fc.constantFrom(...drafts), arbitrary)
            .map(([draft, credential]) => ({ draft, credential })),
        }),
      };
    },
    requests: ({ draft, credential }) => ({
      counterpart: draft,
      refused: [credential, ...beside].map((each) => ({ ...draft, credential: each })),
    }),
  });
}

/** A credential with a key that is almost right, or in the wrong place. */
export const forged = (key: NearMissKey | KeyElsewhere): Credential => ({ kind: 'forged', ...key });
