import type { Defect } from '../../../mock-server/defects/kit/defect.ts';
import {
  type Choices,
  isJsonObject,
  type Json,
  type JsonObject,
  type Model,
} from '../second-service/choices.ts';
import type { Call, Reply } from '../second-service/reply.ts';
import type { Parts, Steps } from '../second-service/service.ts';

/** Puts other parts in the place of some of a faithful service's. */
type Amend = (right: Parts) => Partial<Parts>;

/** One way in which the second service breaks the specification. */
export interface SecondDefect extends Pick<Defect, 'clauses' | 'story' | 'alsoBlamed'> {
  readonly choices?: Partial<Choices>;
  readonly amend?: Amend;
}

export type SecondDefects = Readonly<Record<string, SecondDefect>>;

/** Puts other steps in the place of some. */
export function changeSteps(change: (right: Steps, parts: Parts) => Partial<Steps>): Amend {
  return (right) => ({ steps: { ...right.steps, ...change(right.steps, right) } });
}

/** Rewrites each chat before it is read. */
export function rewriteChat(rewrite: (chat: JsonObject, models: readonly Model[]) => JsonObject): Amend {
  return changeSteps(({ readChat }) => ({
    readChat: (body, models, choices) => {
      const chat = chatIn(body);
      const other = chat && rewrite(chat, models);
      return readChat(other === undefined ? body : Buffer.from(JSON.stringify(other)), models, choices);
    },
  }));
}

/** Rewrites each message of each chat before it is read. */
export function rewriteMessages(rewrite: (message: JsonObject) => JsonObject): Amend {
  return rewriteChat((chat) => {
    const { messages } = chat;
    if (!isList(messages)) return chat;
    return { ...chat, messages: messages.map((each) => (isJsonObject(each) ? rewrite(each) : each)) };
  });
}

/** Crashes on some chats, and answers as a framework does after a crash. */
export function failOn(isFatal: (chat: JsonObject) => boolean): Amend {
  return changeSteps(({ answer, readChat }) => ({
    readChat: (body, models, choices) => {
      const chat = chatIn(body);
      if (chat !== undefined && isFatal(chat)) throw new Crash();
      return readChat(body, models, choices);
    },
    answer: catching(answer, (error) => {
      if (!(error instanceof Crash)) throw error;
      return { status: 500, type: 'text/plain', body: 'Internal Server Error' };
    }),
  }));
}

/** The same step, but for what becomes of an error. */
export function catching(
  answer: Steps['answer'],
  onError: (error: unknown, call: Call, parts: Parts) => Reply,
): Steps['answer'] {
  return async (call, parts) => {
    try {
      return await answer(call, parts);
    } catch (error) {
      return onError(error, call, parts);
    }
  };
}

class Crash extends Error {}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The members of a body that is a JSON object. */
export function chatIn(body: Buffer): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
