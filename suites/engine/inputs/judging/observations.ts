import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import type { Judgement } from '../../model/check.ts';
import type { Exchange } from '../../model/exchange.ts';
import { HOLDS, type Observation, notExercised, observed, violated } from '../../model/ruling.ts';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { answerOf } from '../../reading/answers.ts';
import type { UsageReading } from '../../reading/completions/read-completion.ts';
import { codeOfError } from '../../reading/errors/read-error.ts';
import { byEnd } from './is-served.ts';

/** What a reader found at open points, or undefined where it found nothing. */
type FoundAt = { readonly [point in OpenPointName]?: JsonValue | undefined };

/** The observations of what was found. At a pinned point without a value, `null` shows that the pin no longer holds. */
export function observationsOf(found: FoundAt, { pins }: Profile): readonly Observation[] {
  return Object.entries(found).flatMap(([point, value]) => {
    if (value !== undefined) return [{ point, value }];
    return pins?.[point] === undefined ? [] : [{ point, value: null }];
  });
}

export function observeHeaders(point: OpenPointName, names: RegExp): Judgement {
  return ({ exchanges: [exchange] }) => {
    const all = Object.keys(answerOf(exchange).headers);
    return observed({ point, value: all.filter((name) => names.test(name)).toSorted() });
  };
}

/** A cause of an error, as named by the open points `error.status.…` and `error.code.…`. */
export type Condition =
  Extract<OpenPointName, `error.status.${string}`> extends `error.status.${infer C}` ? C : never;

/** Observes the status and the code of a refusal; not exercised when the request was not refused. */
export function observeRefusal(condition: Condition, exchange: Exchange, info: TargetInfo) {
  const answer = answerOf(exchange);
  const code = codeOfError(answer, info);
  const refused = observed(
    { point: `error.status.${condition}`, value: answer.status },
    ...observationsOf({ [`error.code.${condition}`]: code }, info.profile),
  );
  return byEnd(exchange, info, {
    refused,
    limited: refused,
    failed: 'the service failed instead of refusing',
    unavailable: `the service is unavailable, so no ${condition.replaceAll('_', ' ')} error was shown`,
    otherwise: 'the request was not refused',
  });
}

/** Judges usage under any name (RES-4): some number reports it, and no count is negative. */
export function judgeUsage(usage: UsageReading, where: 'response' | 'stream') {
  const expected = `usage in ${where === 'stream' ? 'some event' : 'the response'} under any name`;
  if (usage === 'absent') return violated('no-usage', expected, 'no number that could be a token count');
  if (usage === 'unrecognised')
    return notExercised('numbers under unknown names may be the usage', `pin "${where}.usage" in a profile`);
  const { negative } = usage;
  return negative === undefined
    ? HOLDS
    : violated('negative-usage', 'counts of 0 or more', String(negative.value), negative.pointer);
}
