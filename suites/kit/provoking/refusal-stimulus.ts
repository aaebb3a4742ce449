import * as fc from 'fast-check';
import { acceptedChat, smokeChats } from '../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, JsonObject } from '../../../fixtures/chats/chat.ts';
import type { Variation } from '../../../fixtures/chats/variation.ts';
import type { Cost } from '../model/cost.ts';
import type { KeyName } from '../model/exchange.ts';
import { chatDraft, chatSettings } from './chat-drafts.ts';
import { withKey } from './listed-models.ts';
import { type Inputs, type Sender, type Stimulus, stimulus } from '../model/stimulus.ts';
import type { Survey } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';

export interface RefusalDeclaration {
  readonly name: string;
  /** How many variations a run with small caps sends. */
  readonly smokeCount: number;
  /** How many of these are always the first; half of them unless said. */
  readonly fixedCount?: number;
  /** Those that must be tried: wrong in the first base, and in the others by turns. */
  readonly examples: (base: ChatBody, others: readonly ChatBody[]) => readonly Variation<JsonObject>[];
  readonly arbitrary?: (bases: fc.Arbitrary<ChatBody>) => fc.Arbitrary<Variation<JsonObject>>;
  readonly skipReason?: (survey: Survey) => string | undefined;
  /** 1 where a service that serves it all the same finds no bound for its output. */
  readonly open?: 0 | 1;
}

/** A mutant and its twin, both sent with this key: the primary one unless said. */
interface KeyedVariation extends Variation<JsonObject> {
  readonly key?: KeyName;
}

/** Chat requests that must be refused for one place, each beside its accepted twin (`control`). */
export function refusals(declaration: RefusalDeclaration): Stimulus {
  const {
    name,
    smokeCount: few,
    fixedCount: steady,
    examples: first,
    arbitrary: drawn,
    skipReason: lacks,
    open = 0,
  } = declaration;
  return stimulus({
    name,
    stage: 'free',
    few,
    ...(steady !== undefined && { steady }),
    ...(lacks !== undefined && { lacks }),
    inputs: (survey): Inputs<KeyedVariation> => {
      const [base, ...others] = smokeChats(chatSettings(survey));
      return {
        first: first(base, others),
        ...(drawn !== undefined && { drawn: drawnFor(survey, drawn) }),
      };
    },
    cost: (variation) => ({ ...costWithCounterpart(variation), open }),
    send: sendWithCounterpart,
  });
}

/** What it costs to send a mutant and its accepted twin. */
export function costWithCounterpart({ control, key = 'primary' }: KeyedVariation): Cost {
  return { refused: 1, twins: [chatDraft(control, withKey({ key }))] };
}

/** Sends a mutant and, unless this run did so already, its accepted twin. */
export async function sendWithCounterpart(
  { control, mutant, key = 'primary' }: KeyedVariation,
  sender: Sender,
): Promise<Trial> {
  const twin = await sender.control(chatDraft(control, withKey({ key })));
  return { exchanges: [await sender.send(chatDraft(mutant, withKey({ key })))], control: twin };
}

/** One chat in so many, at most, is asked for with the second key. */
const SECOND_KEY_SHARE = 6;

/** Wrong chats for any model, some of them with the second key where it may use the model. */
function drawnFor(
  survey: Survey,
  drawn: NonNullable<RefusalDeclaration['arbitrary']>,
): fc.Arbitrary<KeyedVariation> {
  const shared = new Set<unknown>(survey.secondModels?.map(({ id }) => id));
  return fc
    .tuple(drawn(basesOf(survey)), fc.nat({ max: SECOND_KEY_SHARE - 1 }))
    .map(([variation, share]) =>
      share === SECOND_KEY_SHARE - 1 && shared.has(variation.control['model'])
        ? { ...variation, key: 'second' }
        : variation,
    );
}

/** Every other chat, on average, is for the cheapest model; a simpler one always is. */
function basesOf(survey: Survey): fc.Arbitrary<ChatBody> {
  const settings = chatSettings(survey);
  if (survey.thrifty) return fc.constantFrom(...smokeChats(settings));
  const [cheapest, ...others] = survey.models.map(({ id }) => id);
  const model = fc.constantFrom(...others.map(() => cheapest), ...(others.length > 0 ? others : [cheapest]));
  return fc.tuple(acceptedChat(settings), model).map(([chat, id]) => ({ ...chat, model: id ?? chat.model }));
}
