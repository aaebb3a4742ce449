import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { Profile, TargetInfo } from '../model/target.ts';
import { type Observation, notExercised, observed, type Ruling } from '../model/ruling.ts';
import { answerOf } from '../reading/answers.ts';
import { describeAnswer, dispositionOf } from '../reading/errors/disposition.ts';
import type { Exchange } from '../model/exchange.ts';
import { readError } from '../reading/errors/read-error.ts';

/**
 * What is observed of a place, a name or a code that a reader may not have found: nothing, unless the profile
 * pins the point. That there is none is then `null`, which shows that the pin no longer holds.
 */
export function observePoint(
  point: OpenPointName,
  found: JsonValue | undefined,
  { pins }: Profile,
): readonly Observation[] {
  if (found !== undefined) return [{ point, value: found }];
  return pins?.[point] === undefined ? [] : [{ point, value: null }];
}

/** What an error can be about, as far as the names of open points tell it: `error.status.…`, `error.code.…`. */
export type Condition =
  Extract<OpenPointName, `error.status.${string}`> extends `error.status.${infer C}` ? C : never;

/** Observes which status and which code a condition has; not exercised when it was not refused at all. */
export function observeRefusal(condition: Condition, exchange: Exchange, info: TargetInfo): Ruling {
  if (dispositionOf(exchange, info) !== 'refused') {
    return notExercised(`the request was not refused: ${describeAnswer(exchange, info)}`);
  }
  const answer = answerOf(exchange);
  const code = readError(answer, info)?.code;
  return observed(
    { point: `error.status.${condition}`, value: answer.status },
    ...observePoint(
      `error.code.${condition}`,
      typeof code === 'object' ? code.value : undefined,
      info.profile,
    ),
  );
}
