import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { isRefusedChat } from '../inputs/provoking/chat-drafts.ts';
import { type Answer, type Exchange, isCutShort, isOutOfCredits } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { ClauseResult } from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import { isSuccess, asksForStream } from '../reading/answers.ts';
import { isEventStream } from '../reading/errors/disposition.ts';
import { isRateLimited } from '../sending/rate-limit-error.ts';
import { aboutCaps, isUndecided } from './caps-met.ts';

/** What decides how much a run proves. */
export interface Circumstances {
  readonly record: readonly Exchange[];
  readonly clauses: readonly ClauseResult[];
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  readonly withholds?: RunOptions['withholds'];
  /** Draws that were begun, and those of them of which something was not sent. */
  readonly draws: { readonly begun: number; readonly cut: number };
}

/** `cutShort`: its answers prove too little, whatever it was to send. `warnings`: it proves less than its verdicts suggest. */
export interface Limits {
  readonly cutShort: readonly string[];
  readonly warnings: readonly string[];
}

/** What a run has to say of itself; nothing where it proves what it can. */
export function limitsOf(run: Circumstances): Limits {
  const { record, clauses, info, withholds, draws } = run;
  const sent = record.filter(({ outcome }) => outcome.kind !== 'not-sent');
  // A few may be, not more than a tenth.
  const isMany = (count: number): boolean => count * 10 > sent.length;
  const limited = record.filter(
    ({ id, outcome }) => isRateLimited(outcome) && !id.startsWith('rate-limit'),
  ).length;
  const isStreamAsked = clauses.some(({ id, checks }) => id === 'STR-1' && checks.length > 0);
  const spoiled = [
    {
      count: record.filter(isOutOfCredits).length,
      says: 'requests were refused for lack of credits (status 402), and say nothing else: give the workspace more',
    },
    {
      count: record.flatMap(answerIn).filter(isCutShort).length,
      says: 'answers were not kept whole: what holds of every answer was not judged of them',
    },
  ];
  const spoiling = (is: (count: number) => boolean): readonly string[] =>
    spoiled.flatMap(({ count, says }) => (is(count) ? `${count} of ${sent.length} ${says}` : []));
  const warnings: Readonly<Record<string, boolean>> = {
    'no completions were requested: a refusal may be for another reason': withholds !== undefined,
    'no stream was received: nothing is known about streaming':
      isStreamAsked && withholds === undefined && !record.some(isServedStream),
    'the target lists only one model: differences between models were not tested': info?.models.length === 1,
    [`the rate limit refused ${limited} of ${sent.length} requests: try --concurrency 1`]: isMany(limited),
    [`${draws.cut} of ${draws.begun} draws were sent only in part: the reasons and --plan say why`]:
      draws.cut > 0,
  };
  return {
    cutShort: [...noChatAccepted(run, sent), ...spoiling(isMany)],
    warnings: [
      ...Object.keys(warnings).filter((each) => warnings[each]),
      ...spoiling((count) => count > 0 && !isMany(count)),
      ...aboutCaps(clauses, record),
      ...undecidedClauses(clauses),
    ],
  };
}

/** Nothing is known about completions, and how much was decided; nothing where a chat was accepted, or the run could not begin. */
function noChatAccepted(
  { withholds, info, clauses }: Circumstances,
  sent: readonly Exchange[],
): readonly string[] {
  if (info === undefined) return [];
  const chats = sent.filter(({ request }) => request.path === ENDPOINTS.chat);
  // A conforming service accepts counterparts, but for those that it refuses for a plain reason, to be compared with.
  const counterparts = chats.filter(
    ({ id, request }) => id.startsWith('control/') && !isRefusedChat(request, info),
  );
  const acceptable = counterparts.length > 0 ? counterparts : chats;
  if (acceptable.flatMap(answerIn).some(isSuccess)) return [];
  const own = clausesWithChecks(clauses);
  const decided = own.filter(({ verdict }) => !isUndecided(verdict) && verdict !== 'error').length;
  const why = chats.length === 0 ? ', since none was sent' : whyRefused(counterparts, withholds);
  return [
    `no chat was accepted${why}: nothing is known about completions; ${decided} of ${own.length} clauses were decided`,
  ];
}

/** Without an accepted counterpart, no refusal proves anything. */
function whyRefused(counterparts: readonly Exchange[], withholds: RunOptions['withholds']): string {
  if (withholds !== undefined) return ', since this run sends only chats that must be refused';
  const statuses = [...new Set(counterparts.flatMap(answerIn).map(({ status }) => status))];
  if (statuses.length === 0) return '';
  const isKey = statuses.every((status) => status === 401 || status === 403);
  return `${isKey ? ', since the key was rejected everywhere' : ''} (status ${statuses.join(', ')})`;
}

/** Reads the answer first: requests are many, some are large, and most answers end the search. */
function isServedStream(exchange: Exchange): boolean {
  const isStream = answerIn(exchange).some((answer) => isSuccess(answer) && isEventStream(answer));
  return isStream && asksForStream(exchange.request);
}

/** The clauses that bind the service and have checks in this run. */
function clausesWithChecks(clauses: readonly ClauseResult[]): readonly ClauseResult[] {
  return clauses.filter(
    ({ id, bound, checks }) => bound === 'service' && CLAUSES[id].notYet === undefined && checks.length > 0,
  );
}

function undecidedClauses(clauses: readonly ClauseResult[]): readonly string[] {
  const own = clausesWithChecks(clauses);
  const inPart = own.filter(({ missing }) => missing !== undefined);
  const whole = own.filter(({ missing }) => missing === undefined);
  const phrases = {
    'never exercised': whole.filter(({ verdict }) => verdict === 'not-exercised'),
    'seen only in part': inPart,
    inconclusive: whole.filter(({ verdict }) => verdict === 'inconclusive'),
  };
  return Object.entries(phrases).flatMap(([phrase, some]) => {
    const ids = some.map(({ id }) => id).join(' ');
    return ids === ''
      ? []
      : `${some.length} of ${own.length} clauses ${some.length === 1 ? 'was' : 'were'} ${phrase}: ${ids}`;
  });
}

function answerIn({ outcome }: Exchange): readonly Answer[] {
  return outcome.kind === 'answered' ? [outcome.answer] : [];
}
