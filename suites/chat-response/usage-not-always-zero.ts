import { faithfulChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import type { Invariant, RunJudge } from '../engine/model/check.ts';
import { type Exchange, isCutShort } from '../engine/model/exchange.ts';
import { HOLDS, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isSuccess } from '../engine/reading/answers.ts';
import { tokensIn } from '../engine/reading/completions/find-usage.ts';
import type { Found } from '../engine/reading/json.ts';
import { isEventStreamType, readResult } from '../engine/reading/streams/read-stream.ts';

/** So many answers with a text that report no token are no coincidence. */
const MANY = 3;

/** A count of tokens beside a text. */
interface Reported {
  readonly exchange: Exchange;
  readonly isStream: boolean;
  /** The largest of its counts. */
  readonly count: Found<number>;
}

/** One answer may report 0, for whatever reason; a text that never took a token was not counted. */
export const usageNotAlwaysZero: Invariant = {
  id: 'usage-not-always-zero',
  clauses: ['RES-4'],
  title: 'counts the tokens of some whole answer and of some stream that has a text',
  ofWholeRun: true,
  judge: () => () => undefined,
  unexercised: `it takes a token count above 0 beside a text, or ${MANY} answers of a kind with a text and a count of 0, see RES-4`,
  ofRun: (info) => {
    const all: Reported[] = [];
    const ofKind = (isStream: boolean): readonly Reported[] =>
      all.filter((each) => each.isStream === isStream);
    return {
      note: (exchange) => all.push(...reportedIn(exchange, info)),
      rulings: () => [...judgeAll(ofKind(false), 'whole answers'), ...judgeAll(ofKind(true), 'streams')],
    };
  },
};

function judgeAll(reported: readonly Reported[], kind: string): ReturnType<RunJudge['rulings']> {
  const counted = reported.find(({ count }) => count.value > 0);
  if (counted !== undefined) return [[counted.exchange, HOLDS]];
  if (reported.length < MANY) return [];
  const actual = `0, as in all ${reported.length} ${kind} with a text`;
  return reported.map(({ exchange, count }) => [
    exchange,
    violated('zero-usage', 'a token count above 0 beside a text', actual, count.pointer),
  ]);
}

function reportedIn(exchange: Exchange, info: TargetInfo): readonly Reported[] {
  const { outcome, request } = exchange;
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer) || isCutShort(outcome.answer)) return [];
  if (faithfulChat(request, info) === undefined) return [];
  const { texts, usage } = readResult(outcome.answer, info);
  // Only counts in tokens: a text may be free of charge.
  const counts = (['input', 'output', 'total'] as const).flatMap((kind) => tokensIn(usage, kind) ?? []);
  const [count] = counts.toSorted((one, other) => other.value - one.value);
  if (texts.join('') === '' || count === undefined) return [];
  return [{ exchange, isStream: isEventStreamType(outcome.answer), count }];
}
