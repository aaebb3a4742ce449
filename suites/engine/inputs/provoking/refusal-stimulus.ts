import * as fc from 'fast-check';
import { coreChats } from '../../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Variation } from '../../../../fixtures/chats/variation.ts';
import { isHungUp } from '../../model/exchange.ts';
import type { Stimulus } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { chatDraft, chatSettings } from './chat-drafts.ts';
import { type Requests, requestStimulus } from './request-stimulus.ts';
import { withSpace } from './second-try.ts';

type InvalidChat = Variation<JsonObject>;

type Declared = Pick<Stimulus, 'name' | 'cappedCount' | 'fixedCount' | 'skipReason'>;

export interface RefusalDeclaration extends Declared {
  /** The variations that must be tried, made from `base` and the others in rotation. */
  readonly examples: (
    base: ChatBody,
    others: readonly ChatBody[],
    info: TargetInfo,
  ) => readonly InvalidChat[];
  readonly arbitrary?: (bases: fc.Arbitrary<ChatBody>, info: TargetInfo) => fc.Arbitrary<InvalidChat>;
}

/** Chat requests that are invalid in one place, each with its counterpart. */
export function refusals({ examples, arbitrary, ...declared }: RefusalDeclaration): Stimulus {
  return requestStimulus<InvalidChat>({
    ...declared,
    stage: 'free',
    inputs: (info) => {
      const [base, ...others] = coreChats(chatSettings(info));
      const random = arbitrary?.(basesOf(info), info);
      return { examples: examples(base, others, info), ...(random && { arbitrary: random }) };
    },
    requests: invalidChat,
  });
}

export function invalidChat({ counterpart, mutant }: InvalidChat): Requests {
  const invalid = chatDraft(mutant);
  const again = { when: isHungUp, draft: withSpace(invalid) };
  return { counterpart: chatDraft(counterpart), refused: [invalid], again };
}

/** Core chats: random ones would each take a completion more. On average every second is for the cheapest model; after shrinking each is. */
function basesOf(info: TargetInfo): fc.Arbitrary<ChatBody> {
  const chats = fc.constantFrom(...coreChats(chatSettings(info)));
  if (info.thrifty) return chats;
  const [cheapest, ...others] = info.models.map(({ id }) => id);
  const model = fc.constantFrom(...others.map(() => cheapest), ...(others.length > 0 ? others : [cheapest]));
  return fc.tuple(chats, model).map(([chat, id]) => ({ ...chat, model: id ?? chat.model }));
}
