import * as fc from 'fast-check';
import { acceptedChat, coreChats } from '../../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Variation } from '../../../../fixtures/chats/variation.ts';
import type { KeyName } from '../../model/exchange.ts';
import type { Inputs, Stimulus } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { chatDraft, chatSettings } from './chat-drafts.ts';
import { withKey } from './listed-models.ts';
import { type Requests, requestStimulus } from './request-stimulus.ts';

export interface RefusalDeclaration {
  readonly name: string;
  /** How many variations a run with small caps sends. */
  readonly cappedCount: number;
  /** How many of these are always the first; default: half of them. */
  readonly fixedCount?: number;
  /** The variations that must be tried, made from `base` and the others in rotation. */
  readonly examples: (
    base: ChatBody,
    others: readonly ChatBody[],
    info: TargetInfo,
  ) => readonly Variation<JsonObject>[];
  readonly arbitrary?: (
    bases: fc.Arbitrary<ChatBody>,
    info: TargetInfo,
  ) => fc.Arbitrary<Variation<JsonObject>>;
  readonly skipReason?: (info: TargetInfo) => string | undefined;
}

/** An invalid request and its counterpart, both sent with this key; default: the primary key. */
interface KeyedVariation extends Variation<JsonObject> {
  readonly key?: KeyName;
}

/** Chat requests that are invalid in one place, each with its counterpart. */
export function refusals({ examples, arbitrary, ...declared }: RefusalDeclaration): Stimulus {
  return requestStimulus({
    ...declared,
    stage: 'free',
    inputs: (info): Inputs<KeyedVariation> => {
      const [base, ...others] = coreChats(chatSettings(info));
      return {
        examples: examples(base, others, info),
        ...(arbitrary !== undefined && { arbitrary: arbitraryFor(info, arbitrary) }),
      };
    },
    requests: invalidChat,
  });
}

/** An invalid chat and its counterpart. */
export function invalidChat({ counterpart, mutant, key = 'primary' }: KeyedVariation): Requests {
  return {
    counterpart: chatDraft(counterpart, withKey({ key })),
    refused: [chatDraft(mutant, withKey({ key }))],
  };
}

/** At most one chat in this many is sent with the second key. */
const SECOND_KEY_SHARE = 6;

/** Invalid chats for any model, some of them with the second key where it lists the model. */
function arbitraryFor(
  info: TargetInfo,
  arbitrary: NonNullable<RefusalDeclaration['arbitrary']>,
): fc.Arbitrary<KeyedVariation> {
  const shared = new Set<unknown>(info.secondModels?.map(({ id }) => id));
  return fc
    .tuple(arbitrary(basesOf(info), info), fc.nat({ max: SECOND_KEY_SHARE - 1 }))
    .map(([variation, share]) =>
      share === SECOND_KEY_SHARE - 1 && shared.has(variation.counterpart['model'])
        ? { ...variation, key: 'second' }
        : variation,
    );
}

/** On average every second chat is for the cheapest model; after shrinking every chat is. */
function basesOf(info: TargetInfo): fc.Arbitrary<ChatBody> {
  const settings = chatSettings(info);
  if (info.thrifty) return fc.constantFrom(...coreChats(settings));
  const [cheapest, ...others] = info.models.map(({ id }) => id);
  const model = fc.constantFrom(...others.map(() => cheapest), ...(others.length > 0 ? others : [cheapest]));
  return fc.tuple(acceptedChat(settings), model).map(([chat, id]) => ({ ...chat, model: id ?? chat.model }));
}
