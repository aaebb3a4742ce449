import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { isJsonObject, readJson, valueAt } from '../json.ts';
import { type ItemReading, locate } from '../locate.ts';
import { FINISH_REASON } from '../points.ts';
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
      ? choices.map((_, index) => ({
          text: textOf(valueAt(body, `/choices/${index}/message/content`)),
          finishReason: finishReasonOf(body, choices, index, profile),
        }))
      : undefined,
    usage: findUsage(body, profile),
  };
}

/** Profiles pin the place in the first choice: any other is read as if it were the first. */
function finishReasonOf(
  body: JsonObject,
  choices: readonly JsonValue[],
  index: number,
  profile: Profile,
): ItemReading {
  const found = locate({ ...body, choices: choices.slice(index) }, FINISH_REASON, profile);
  if (typeof found === 'string') return found;
  return { ...found, pointer: found.pointer.replace(/^\/choices\/0(?=\/)/, `/choices/${index}`) };
}

function textOf(content: JsonValue | undefined): string | undefined {
  return typeof content === 'string' ? content : undefined;
}
