import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import {
  failedBy,
  failedChats,
  isAfter,
  isRefusal,
  isUncertain,
  lookupsBetween,
  unsettledState,
} from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { markHint, recordHint } from './hints.ts';
import { type CallerCheck, judgingEach, worstOf } from './judge-caller.ts';
import { isNewText, isSameAsk, judgeAgain, othersFor, sentAgain, type SentAgain } from './sent-again.ts';
import { type Chat, type Timeline, UNCERTAIN } from './timeline.ts';

const NONE_UNCERTAIN = 'no outcome was uncertain to the caller';

function judgeSent({ first, again, lookup, doubt }: SentAgain, { lookups }: Timeline): Ruling {
  const place = again.place === 'elsewhere' ? 'another provider' : 'the service';
  const state = lookup && unsettledState(lookup, first);
  if (lookup !== undefined && state === undefined) return HOLDS;
  if (doubt !== undefined) return inconclusive(doubt);
  if (state !== undefined) {
    const actual = `${numbered(first)} sent to ${place} again while the workspace showed it as ${state}`;
    return violatedBy(again, 'sent-again-under-review', 'no replay of a request under review', actual);
  }
  const how = lookups === undefined ? ', and no lookup passed through the proxy' : ' without a lookup';
  const actual = `the work of ${numbered(first)} sent to ${place} again${how}`;
  return violatedBy(again, 'sent-again', 'a workspace lookup before the work is sent again', actual);
}

export const notSentAgainUnchecked: CallerCheck = {
  id: 'not-sent-again-unchecked',
  clauses: ['CALL-2'],
  title: 'sends a request of uncertain outcome again, to any provider, only after a workspace lookup',
  decides: {
    'sends nothing again after a timeout': failedBy('no-answer'),
    'sends nothing again after a gateway error': failedBy('gateway', 'cut'),
  },
  judge: (timeline) => {
    const again = sentAgain(timeline).filter(
      ({ first, when }) => when === 'while-held' || isUncertain(first),
    );
    const lost = failedChats(timeline, ...UNCERTAIN);
    const rulings = again.map((pair) => judgeSent(pair, timeline));
    return judgeAgain(timeline, lost, rulings, NONE_UNCERTAIN);
  },
};

const UNSEEN = 'nothing shows from outside how the caller treats a lost answer';

/** Judges what the driver recorded of a lost request, by its key or else by its item. */
function judgeRecord(lost: Chat, timeline: Timeline): Ruling {
  const { item, idempotencyKey: key = '', knownAt = Infinity } = lost;
  const { records = [] } = timeline;
  const record =
    records.findLast((each) => each.idempotencyKey === key && (item ?? each.wish) === each.wish) ??
    records.findLast(({ wish }) => wish === item);
  if (record?.outcome === 'uncertain') return HOLDS;
  // A repetition, or a request beside it, may have had another outcome, and a lookup may have shown it.
  const isLookedUp = lookupsBetween(timeline, lost, knownAt).length > 0;
  const others = othersFor(timeline, lost);
  const isSettled = isLookedUp || others.some((chat) => chat.outcome === 'served' || isAfter(chat, lost));
  // Only a caller to which an outcome is unknown looks it up.
  if (records.length === 0 && isLookedUp) return HOLDS;
  if (record === undefined) return notExercised(UNSEEN, recordHint(timeline));
  if (isSettled) return notExercised(UNSEEN);
  const as = record.outcome === 'served' ? 'a success' : 'a failure that cost nothing';
  const actual = `${numbered(lost)} recorded as ${as}`;
  return violatedBy(lost, `taken-for-${record.outcome}`, 'the outcome recorded as unknown', actual);
}

export const lostAnswerIsUncertain: CallerCheck = {
  id: 'lost-answer-is-uncertain',
  clauses: ['CALL-2'],
  title: 'treats a lost answer neither as a success nor as a failure that cost nothing',
  decides: 'takes a lost answer for an unknown outcome',
  judge: judgingEach((timeline) => failedChats(timeline, ...UNCERTAIN), NONE_UNCERTAIN, judgeRecord),
};

/** No person reads an error, looks the request up and sends it again this soon. */
const AUTOMATIC_MS = 2000;

/** Whether a request came sooner after a failure than a person decides, and before a server that started anew was asked again. */
function isSoon({ first: { knownAt = Infinity }, again }: SentAgain, { end: { restart } }: Timeline) {
  return again.arrivedAt <= Math.min(knownAt + AUTOMATIC_MS, restart?.drivenAt ?? Infinity);
}

/**
 * What was asked for again at the service; CALL-2 covers other providers. A workspace lookup in between settles what was
 * uncertain; after a refusal there is nothing to look up, so that soon it is a retry all the same.
 */
function isRetry(pair: SentAgain, timeline: Timeline): boolean {
  const { first, again, when, lookup } = pair;
  const isLookedUp = lookup !== undefined && !(isRefusal(first) && isSoon(pair, timeline));
  return again.place === 'service' && !isLookedUp && (when === 'while-held' || isSameAsk(again, first));
}

/**
 * With the same Idempotency-Key, or none, it is a retry whenever it comes. With a fresh one it may be a new request: soon
 * after an uncertain outcome it is automatic all the same, after a refusal the application may have decided on it.
 */
function isSureRetry(pair: SentAgain, timeline: Timeline): boolean {
  const { first, again, when, lookup, doubt, habit } = pair;
  if ([doubt, habit, lookup].some((each) => each !== undefined)) return false;
  if (when === 'while-held' || again.idempotencyKey === first.idempotencyKey) return true;
  return isUncertain(first) && isSoon(pair, timeline);
}

/** How often an item may be sent again with fresh keys to an unavailable service before that is taken for automatic. */
const MOST_REPETITIONS = 3;

/** Of what was sent again in place of one request, the plainest says enough. */
function judgeRetries(first: Chat, retries: readonly SentAgain[], timeline: Timeline): Ruling {
  const later = retries.filter(({ when, lookup }) => when === 'after' && lookup === undefined);
  // From a caller that does not do the task, equal requests may be separate work.
  const isStorm =
    first.item !== undefined && first.outcome === 'unavailable' && later.length > MOST_REPETITIONS;
  if (isStorm) {
    const actual = `${numbered(first)} sent again ${later.length} times`;
    return violatedBy(first, 'retried-on-and-on', 'no automatic retry', actual);
  }
  const rulings = retries.map((retry) => {
    const { again, doubt, habit } = retry;
    const key = again.idempotencyKey === first.idempotencyKey ? 'unchanged' : 'with a fresh key';
    const actual = `${numbered(first)} sent again ${key}`;
    return isSureRetry(retry, timeline)
      ? violatedBy(again, 'retried', 'no automatic retry', actual)
      : inconclusive(doubt ?? habit ?? `${actual}: nothing shows whether that was automatic`);
  });
  return worstOf(rulings) ?? HOLDS;
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing automatically',
  decides: {
    'retries nothing after a rate limit error': failedBy('rate-limit'),
    'retries nothing after another refusal': failedBy('unavailable', 'token-limit', 'unknown-model', 'other'),
    'retries nothing after a lost answer': failedBy(...UNCERTAIN),
  },
  judge: (timeline) => {
    const byFirst = Map.groupBy(
      sentAgain(timeline).filter((pair) => isRetry(pair, timeline)),
      ({ first }) => first,
    );
    const rulings = [...byFirst].map(([first, retries]) => judgeRetries(first, retries, timeline));
    const none = 'no completion failed, so there was nothing to retry';
    return judgeAgain(timeline, failedChats(timeline), rulings, none);
  },
};

function inputOf({ fields }: Chat): number {
  return JSON.stringify(fields?.['messages'] ?? []).length;
}

/** A request without a limit asks for the maximum. */
function outputOf({ fields }: Chat): number {
  const asked = fields?.['max_tokens'];
  return typeof asked === 'number' ? asked : Infinity;
}

/** A clock before the text has other digits each time: so few characters less show nothing. */
const LONGEST_CLOCK = 32;

/** Whether a request is smaller in all; undefined: only the service's tokenizer can tell. */
function isSmaller(next: Chat, refused: Chat): boolean | undefined {
  const input = inputOf(next) - inputOf(refused);
  const [output, before] = [outputOf(next), outputOf(refused)];
  if (input >= 0 && output >= before) return false;
  const isLess = output < before ? input <= 0 : output === before && input < -LONGEST_CLOCK;
  return isLess ? true : undefined;
}

function judgeNext({ first: refused, again: next, doubt, habit }: SentAgain): Ruling {
  const isLess = isSmaller(next, refused);
  if (isLess === true) return doubt === undefined ? HOLDS : inconclusive(doubt);
  const isOtherModel = next.fields?.['model'] !== refused.fields?.['model'];
  if (isOtherModel || isLess === undefined)
    return inconclusive('only the service can tell whether the request is smaller: see docs/callers.md');
  const unsure = doubt ?? habit;
  if (unsure !== undefined) return inconclusive(unsure);
  const actual = `${numbered(refused)} sent again, but not smaller`;
  return violatedBy(next, 'not-reduced', 'a shorter input or less requested output', actual);
}

/** Whether a text is a longer one of which a piece was cut out, at any place. */
function isCutFrom(whole: string, text: string): boolean {
  let [start, end] = [0, 0];
  while (start < text.length && text[start] === whole[start]) start += 1;
  while (end < text.length && text.at(-1 - end) === whole.at(-1 - end)) end += 1;
  return text !== '' && text.length < whole.length && start + end >= text.length;
}

/** Whether a request is a refused one with a shorter text and no more output. Other work with such a text shows in plain use. */
function isShortened(timeline: Timeline, next: Chat, refused: Chat): boolean {
  // A mark may stand where the text was cut off.
  const kept = (next.text ?? '')
    .trimEnd()
    .replace(/(?:…|\.{3})$/, '')
    .trimEnd();
  return (
    isAfter(next, refused) &&
    isNewText(timeline, next) &&
    isCutFrom((refused.text ?? '').trimEnd(), kept) &&
    inputOf(next) < inputOf(refused) &&
    outputOf(next) <= outputOf(refused)
  );
}

export const requestReduced: CallerCheck = {
  id: 'request-reduced',
  clauses: ['CALL-3'],
  title: 'shortens the input or asks for less output after a token limit error',
  judge: (timeline) => {
    const refused = failedChats(timeline, 'token-limit');
    if (refused.length === 0) return notExercised('it got no token limit error');
    const again = sentAgain(timeline).filter(
      ({ again: { place }, when }) => place === 'service' && when === 'after',
    );
    const rulings = refused.flatMap((one) => {
      const next = again.find(({ first }) => first === one);
      if (next !== undefined) return judgeNext(next);
      return timeline.atService.some((chat) => isShortened(timeline, chat, one)) ? HOLDS : [];
    });
    const unseen = 'nothing shows that it sent the refused work again';
    return worstOf(rulings) ?? notExercised(unseen, markHint(timeline));
  },
};
