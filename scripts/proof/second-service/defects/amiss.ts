import type { Choices, Model } from '../choices.ts';
import { isMembers, type Json, type JsonMembers } from '../json.ts';
import type { Parts, Steps } from '../service.ts';

/** What a service has that gets something wrong, in place of what it ought to have. */
export interface Amiss {
  readonly choices?: Partial<Choices>;
  readonly parts?: (right: Parts) => Partial<Parts>;
}

/** Defects by name; what each is made of is forgotten. */
export function amiss<Name extends string>(
  defects: Readonly<Record<Name, Amiss>>,
): Readonly<Record<Name, Amiss>> {
  return defects;
}

/** Other steps in place of the right ones. */
export function stepping(steps: (right: Steps, parts: Parts) => Partial<Steps>): Amiss {
  return { parts: (right) => ({ steps: { ...right.steps, ...steps(right.steps, right) } }) };
}

/** A chat is taken for another one, before the right reader reads it. */
export function misreading(taken: (chat: JsonMembers, models: readonly Model[]) => JsonMembers): Amiss {
  return stepping(({ readChat }) => ({
    readChat: (body, models, choices) => {
      const chat = chatIn(body);
      const other = chat && taken(chat, models);
      return readChat(other === undefined ? body : Buffer.from(JSON.stringify(other)), models, choices);
    },
  }));
}

/** Each message is taken for another one. */
export function misreadingMessages(taken: (message: JsonMembers) => JsonMembers): Amiss {
  return misreading((chat) => {
    const { messages } = chat;
    if (!isList(messages)) return chat;
    return { ...chat, messages: messages.map((each) => (isMembers(each) ? taken(each) : each)) };
  });
}

/** A chat at which the service breaks down, and answers as the framework does for it. */
export function failing(isFatal: (chat: JsonMembers) => boolean): Amiss {
  return stepping(({ answer, readChat }) => ({
    readChat: (body, models, choices) => {
      const chat = chatIn(body);
      if (chat !== undefined && isFatal(chat)) throw new Breakdown();
      return readChat(body, models, choices);
    },
    answer: async (call, parts) => {
      try {
        return await answer(call, parts);
      } catch (error) {
        if (!(error instanceof Breakdown)) throw error;
        return { status: 500, type: 'text/plain', body: 'Internal Server Error' };
      }
    },
  }));
}

class Breakdown extends Error {}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The members of a body that is a JSON object. */
export function chatIn(body: Buffer): JsonMembers | undefined {
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
