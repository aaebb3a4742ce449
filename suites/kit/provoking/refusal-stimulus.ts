import * as fc from 'fast-check';
import { acceptedChat, fewChats } from '../../../fixtures/accepted-chats.ts';
import type { ChatBody, JsonObject } from '../../../fixtures/chat.ts';
import type { Variation } from '../../../fixtures/variation.ts';
import type { Cost } from '../cost.ts';
import { chatDraft } from './chat-draft.ts';
import { chatSettings } from './chat-settings.ts';
import { type Inputs, type Sender, type Stimulus, stimulus } from '../stimulus.ts';
import type { Survey } from '../survey.ts';
import type { Trial } from '../trial.ts';

export interface RefusalDeclaration {
  readonly name: string;
  /** How many variations a run with small caps sends. */
  readonly few: number;
  /** How many of these are always the first; half of them unless said. */
  readonly steady?: number;
  /** Those that must be tried: wrong in the first base, and in the others by turns. */
  readonly first: (base: ChatBody, others: readonly ChatBody[]) => readonly Variation<JsonObject>[];
  readonly drawn?: (bases: fc.Arbitrary<ChatBody>) => fc.Arbitrary<Variation<JsonObject>>;
  readonly lacks?: (survey: Survey) => string | undefined;
  /** 1 where a service that serves it all the same finds no bound for its output. */
  readonly open?: 0 | 1;
}

/** Chat requests that must be refused for one place, each beside its accepted twin (`control`). */
export function refusals(declaration: RefusalDeclaration): Stimulus {
  const { name, few, steady, first, drawn, lacks, open = 0 } = declaration;
  return stimulus({
    name,
    stage: 'free',
    few,
    ...(steady !== undefined && { steady }),
    ...(lacks !== undefined && { lacks }),
    inputs: (survey): Inputs<Variation<JsonObject>> => {
      const [base, ...others] = fewChats(chatSettings(survey));
      return { first: first(base, others), ...(drawn !== undefined && { drawn: drawn(basesOf(survey)) }) };
    },
    cost: (variation) => ({ ...costOfBoth(variation), open }),
    send: sendBoth,
  });
}

/** What it costs to send a mutant and its accepted twin. */
export function costOfBoth({ control }: Variation<JsonObject>): Cost {
  return { refused: 1, twins: [chatDraft(control)] };
}

/** Sends a mutant and, unless this run did so already, its accepted twin. */
export async function sendBoth({ control, mutant }: Variation<JsonObject>, sender: Sender): Promise<Trial> {
  const twin = await sender.control(chatDraft(control));
  return { exchanges: [await sender.send(chatDraft(mutant))], control: twin };
}

function basesOf(survey: Survey): fc.Arbitrary<ChatBody> {
  const settings = chatSettings(survey);
  return survey.thrifty ? fc.constantFrom(...fewChats(settings)) : acceptedChat(settings);
}
