import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, leftItems, mayHaveCrossed } from './chats.ts';
import { violatedBy } from './evidence.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import type { Chat, Timeline } from './timeline.ts';

/** Runtimes report an uncaught error at the end: so many characters of the output are read, line by line. */
const LAST = 20_000;

/** What runtimes write about an uncaught error, by language. */
const SIGNS: readonly RegExp[] = [
  /^Node\.js v\d+/,
  /^Traceback \(most recent call last\):/,
  /^Exception in thread "/,
  /^thread '.*panicked at /,
  /^Unhandled exception\. /,
  /^PHP Fatal error: {2}Uncaught /,
  /^error: Uncaught /,
  /^goroutine \d+ \[running\]:/,
  // file.rb:3:in 'method': message (KeyError)
  /:\d+:in ['`].* \([A-Z][\w:]*\)$/,
];

function lastLines(output: string): readonly string[] {
  return output.slice(-LAST).split('\n');
}

function isSign(line: string): boolean {
  return SIGNS.some((sign) => sign.test(line));
}

/** Whether the output shows that an uncaught error ended the process. */
export function saysItCrashed(output: string): boolean {
  return lastLines(output).some(isSign);
}

/** How runtimes name the error of a parser, or of a program that relied on a missing value. PHP may name the cause. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|\.JsonException|JsonParseException|JSON::ParserError|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|NoMethodError/;

/** Where Python and Node begin to report the uncaught error: errors before may have been caught. */
const BEGINNING = /^Traceback \(most recent call last\):|^\s*\^+$/;

/** Whether a crash is about what the process read, and not a failure that it raised on purpose, whatever its cause. */
export function saysItMisread(output: string): boolean {
  const lines = lastLines(output);
  const begins = lines.findLastIndex((line) => BEGINNING.test(line));
  // Indented lines are source text and stack frames. Other runtimes name the error where they say that they crash.
  const report = lines.slice(begins + 1);
  const named = begins === -1 ? report.find(isSign) : report.find((line) => /^\S/.test(line));
  return named !== undefined && READING_ERRORS.test(named);
}

const EXPECTED = 'a caller that survives an answer that is not JSON';
const HINT = 'let the caller exit with 0, send another request, or print the Idempotency-Key';

/** Anything that a caller does afterwards shows that it survived. */
function survived(timeline: Timeline, lost: Chat): boolean {
  const { requests, lookups = [], records = [] } = timeline;
  const { knownAt = Infinity, idempotencyKey = '', item } = lost;
  return (
    requests.some((one) => isAfter(one, lost) && !mayHaveCrossed(timeline, one, lost)) ||
    lookups.some(({ at }) => at > knownAt) ||
    records.some((record) => record.wish === item || record.idempotencyKey === idempotencyKey)
  );
}

/** A program without error handling crashes on any error: only one about the body itself counts. */
function judgeLost(lost: Chat, timeline: Timeline): Ruling {
  if (survived(timeline, lost)) return HOLDS;
  const { end } = timeline;
  if (end.kind === 'driven') return HOLDS;
  if (end.kind === 'signalled')
    return violatedBy(lost, 'crashed', EXPECTED, `it was killed by ${end.signal}`);
  if (end.kind !== 'exited') return notExercised('it sent nothing more, and did not end');
  const { code, output } = end;
  const isCrash = saysItCrashed(output);
  if (code === 0 || (!isCrash && output.includes(lost.idempotencyKey ?? '\0'))) return HOLDS;
  if (isCrash && saysItMisread(output))
    return violatedBy(lost, 'crashed', EXPECTED, `it crashed with code ${code}`);
  const reason = `it exited with code ${code}, and nothing shows whether the body ended it`;
  return isCrash || leftItems(timeline) ? inconclusive(reason) : notExercised(reason, HINT);
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'survives an error whose body is not JSON',
  remedy: 'parse an error body as JSON only inside a try, and treat any other body as a lost answer',
  decides: 'survives the body',
  judge: (timeline) => {
    const rulings = failedChats(timeline, 'gateway').map((lost) => judgeLost(lost, timeline));
    // What a caller survived once shows that it does, whatever became of its last answer.
    const shown = worstOf(rulings.filter(({ kind }) => kind !== 'not-exercised'));
    return shown ?? rulings[0] ?? notExercised('every answer was JSON');
  },
};
