import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import type { ItemReading } from '../errors/read-error.ts';
import { isJsonObject, readJson } from '../json.ts';
import { findPinnedFirst } from '../pins.ts';
import { findFinishReason } from './find-finish-reason.ts';
import { findUsage, type UsageReading } from './find-usage.ts';

/** A chat completion response. The specification names only `choices`, `message` and `content`. */
export interface CompletionReading {
  readonly body: JsonObject;
  /** Undefined when `choices` is not an array. */
  readonly choices: readonly ChoiceReading[] | undefined;
  readonly usage: UsageReading;
}

export interface ChoiceReading {
  /** Undefined when there is no message with text content. */
  readonly text: string | undefined;
  readonly finishReason: ItemReading;
}

/** Reads a whole response; undefined when the body is not a JSON object. Read once per answer; never throws. */
export const readCompletion: (answer: Answer, info: TargetInfo) => CompletionReading | undefined = readOnce(
  (answer, info) => {
    const body = readJson(answer);
    return body.kind === 'json' && isJsonObject(body.value) ? completionIn(body.value, info) : undefined;
  },
);

function completionIn(body: JsonObject, { profile }: TargetInfo): CompletionReading {
  const { choices } = body;
  return {
    body,
    choices: Array.isArray(choices)
      ? choices.map((choice: JsonValue, index) => ({
          text: textOf(choice),
          finishReason: findPinnedFirst(profile, 'response.finish_reason', (each) =>
            findFinishReason(body, index, each),
          ),
        }))
      : undefined,
    usage: findPinnedFirst(profile, 'response.usage', (each) => findUsage(body, each, 'response.usage')),
  };
}

function textOf(choice: JsonValue): string | undefined {
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  const content = isJsonObject(message) ? message['content'] : undefined;
  return typeof content === 'string' ? content : undefined;
}
