import { faithfulChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { type Exchange, isCutShort } from '../engine/model/exchange.ts';
import type { Invariant, RunJudge } from '../engine/model/invariant.ts';
import { HOLDS, notExercised, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isSuccess } from '../engine/reading/answers.ts';
import { countsTokens, type UsageReading } from '../engine/reading/completions/find-usage.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import type { Found } from '../engine/reading/json.ts';
import { isEventStreamType, readStream } from '../engine/reading/streams/read-stream.ts';

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
  ofRun: (info) => {
    const all: Reported[] = [];
    let first: Exchange | undefined;
    const ofKind = (isStream: boolean): readonly Reported[] =>
      all.filter((each) => each.isStream === isStream);
    return {
      note: (exchange) => {
        first ??= exchange;
        all.push(...reportedIn(exchange, info));
      },
      rulings: () => {
        const rulings = [...judgeAll(ofKind(false), 'whole answers'), ...judgeAll(ofKind(true), 'streams')];
        return rulings.length > 0 || first === undefined ? rulings : [[first, notExercised(tooFew(all))]];
      },
    };
  },
};

function tooFew({ length }: readonly Reported[]): string {
  return length === 0
    ? 'no answer had a text and a token count that could be read, see RES-4'
    : `too few answers to tell: ${length} with a text and a token count of 0, and it takes ${MANY} of a kind`;
}

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
  const isStream = isEventStreamType(outcome.answer);
  const { text, usage } = isStream ? inStream(outcome.answer, info) : inResponse(outcome.answer, info);
  const count = text === '' ? undefined : largestCount(usage, info);
  return count === undefined ? [] : [{ exchange, isStream, count }];
}

type Answered = Parameters<typeof readStream>[0];

function inStream(answer: Answered, info: TargetInfo) {
  const { text, usage } = readStream(answer, info);
  return { text: text?.text ?? '', usage };
}

function inResponse(answer: Answered, info: TargetInfo) {
  const completion = readCompletion(answer, info);
  return { text: completion?.choices?.[0]?.text ?? '', usage: completion?.usage ?? ('absent' as const) };
}

/** Only counts in tokens: a text may be free of charge. */
function largestCount(usage: UsageReading, { profile }: TargetInfo): Found<number> | undefined {
  if (typeof usage === 'string') return undefined;
  const { input, output, total } = usage;
  const counts = [
    ...(input && countsTokens(input, 'response.usage.input', profile) ? [input] : []),
    ...(output && countsTokens(output, 'response.usage.output', profile) ? [output] : []),
    ...(total && countsTokens(total, 'response.usage.total', profile) ? [total] : []),
  ];
  return counts.toSorted((one, other) => other.value - one.value)[0];
}
