import * as fc from 'fast-check';
import { rotatingPairs } from '../../fixtures/chats/combinations.ts';
import type { KeyElsewhere, NearMissKey } from '../../fixtures/credentials/wrong-credentials.ts';
import { chatDraft, endpointDrafts, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import type { Draft, Credential, Exchange } from '../engine/model/exchange.ts';
import { type Sender, type Stage, type Stimulus, stimulus } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';

/** A valid request with a credential that must be refused. */
interface WrongKey {
  readonly draft: Draft;
  readonly credential: Credential;
  /** Sent once more, when a cache ahead of authentication may hold the answer to its bytes. */
  readonly repeats?: true;
}

export interface WrongCredentials {
  readonly name: string;
  /** Default: `free`. */
  readonly stage?: Stage;
  readonly cappedCount: number;
  /** How many of these are always the first; default: half of them. */
  readonly fixedCount?: number;
  /** Most important first; each is tried on every endpoint. */
  readonly credentials: readonly Credential[];
  /** Tried again on a chat whose answer a cache in front of authentication may hold. */
  readonly repeated?: Credential;
  /** Tried after the others. */
  readonly further?: readonly Credential[];
  readonly arbitrary?: fc.Arbitrary<Credential>;
  /** Sent after each of them, with the same request. */
  readonly followedBy?: Credential;
  readonly skipReason?: (info: TargetInfo) => string | undefined;
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
  const { name, stage = 'free', cappedCount, fixedCount, credentials, repeated, further = [] } = declaration;
  const { arbitrary, followedBy: beside, skipReason } = declaration;
  return stimulus({
    name,
    stage,
    cappedCount,
    firstCount: Math.min(cappedCount, EACH_ENDPOINT_ONCE),
    ...(fixedCount !== undefined && { fixedCount }),
    ...(skipReason !== undefined && { skipReason }),
    inputs: (info) => {
      const drafts = everyEndpoint(info);
      const first = [
        ...onEveryEndpoint(credentials, drafts),
        ...(repeated === undefined ? [] : [repeatedChat(repeated, info)]),
        ...onEveryEndpoint(further, drafts),
      ];
      return {
        examples: first,
        ...(arbitrary !== undefined && { arbitrary: onAnyEndpoint(drafts, arbitrary) }),
      };
    },
    cost: ({ draft }: WrongKey) => ({
      [draft.method === 'GET' ? 'reads' : 'refused']: beside === undefined ? 1 : 2,
      counterparts: [draft],
    }),
    send: async ({ draft, credential }: WrongKey, sender) => {
      const counterpart = await sender.sendCounterpart(draft);
      const all = [credential, ...(beside === undefined ? [] : [beside])];
      return { counterpart, exchanges: await inTurn(all, draft, sender) };
    },
  });
}

function repeatedChat(credential: Credential, info: TargetInfo): WrongKey {
  return { draft: chatDraft(smallestChat(info)), credential, repeats: true };
}

async function inTurn(
  credentials: readonly Credential[],
  draft: Draft,
  sender: Sender,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const credential of credentials) exchanges.push(await sender.send({ ...draft, credential }));
  return exchanges;
}

function onAnyEndpoint(
  drafts: readonly Draft[],
  credentials: fc.Arbitrary<Credential>,
): fc.Arbitrary<WrongKey> {
  return fc
    .tuple(fc.constantFrom(...drafts), credentials)
    .map(([draft, credential]) => ({ draft, credential }));
}

/** A credential with a key that is almost right, or in the wrong place. */
export const forged = (key: NearMissKey | KeyElsewhere): Credential => ({ kind: 'forged', ...key });
