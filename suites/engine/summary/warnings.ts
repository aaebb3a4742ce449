import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { isRefusedChat } from '../inputs/provoking/chat-drafts.ts';
import { type Answer, type Exchange, isCutShort, isOutOfCredits } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { ClauseResult } from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import { isSuccess, sentChat } from '../reading/answers.ts';
import { isEventStream } from '../reading/errors/disposition.ts';
import { isRateLimited } from '../sending/rate-limit-error.ts';
import { aboutCaps, isUndecided } from './caps-met.ts';

/** What decides how much a run proves. */
export interface Circumstances {
  readonly record: readonly Exchange[];
  readonly clauses: readonly ClauseResult[];
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  readonly withholds: RunOptions['withholds'];
  /** Draws that were begun, and those of them of which something was not sent. */
  readonly draws: { readonly begun: number; readonly cut: number };
}

/** Why a run proves less than its verdicts suggest; none where it proves what it can. */
export function warningsOf(circumstances: Circumstances): string[] {
  const { clauses, info, record, withholds, draws } = circumstances;
  const isStreamAsked = clauses.some(({ id, checks }) => id === 'STR-1' && checks.length > 0);
  const limited = record.filter(({ id, outcome }) => isRateLimited(outcome) && !id.startsWith('rate-limit'));
  const warnings: readonly (readonly [isSo: boolean, says: string])[] = [
    [withholds !== undefined, 'no completions were requested: a refusal may be for another reason'],
    [
      isStreamAsked && withholds === undefined && !record.some(isServedStream),
      'no stream was received: nothing is known about streaming',
    ],
    [
      info?.models.length === 1,
      'the target lists only one model: differences between models were not tested',
    ],
    [
      isMany(limited.length, record),
      `the rate limit refused ${limited.length} of ${sentIn(record)} requests: try --concurrency 1`,
    ],
    [
      draws.cut > 0,
      `${draws.cut} of ${draws.begun} draws were sent only in part: the reasons and --plan say why`,
    ],
  ];
  return [
    ...refusedCounterparts(circumstances),
    ...warnings.flatMap(([isSo, says]) => (isSo ? says : [])),
    ...spoiledAnswers(record, 'few'),
    ...aboutCaps(circumstances),
    ...undecidedClauses(clauses),
  ];
}

/** Why a run is incomplete whatever it was to send: its answers prove too little. */
export function provesLittle(circumstances: Omit<Circumstances, 'draws'>): readonly string[] {
  return [...noChatAccepted(circumstances), ...spoiledAnswers(circumstances.record, 'many')];
}

/** Nothing is known about completions, and how much was decided; nothing where a chat was accepted, or the run could not begin. */
function noChatAccepted({
  record,
  withholds,
  info,
  clauses,
}: Omit<Circumstances, 'draws'>): readonly string[] {
  const chats = record.filter(({ request, outcome }) => isChat(request) && outcome.kind !== 'not-sent');
  const counterparts = counterpartsIn(chats, info);
  const acceptable = counterparts.length > 0 ? counterparts : chats;
  if (info === undefined || acceptable.flatMap(answerIn).some(isSuccess)) return [];
  const refusable = withholds === undefined ? '' : ', since this run sends only chats that must be refused';
  const own = clausesWithChecks(clauses);
  const decided = own.filter(({ verdict }) => !isUndecided(verdict) && verdict !== 'error').length;
  const why = chats.length === 0 ? ', since none was sent' : refusable;
  return [
    `no chat was accepted${why}: nothing is known about completions; ${decided} of ${own.length} clauses were decided`,
  ];
}

/** Without an accepted counterpart, no refusal proves anything. */
function refusedCounterparts({ record, info, withholds }: Circumstances): readonly string[] {
  const answers = counterpartsIn(record, info).flatMap(answerIn);
  const [first] = answers;
  if (withholds !== undefined || first === undefined || answers.some(isSuccess)) return [];
  const all = `all ${answers.length} chats that a conforming service accepts`;
  if (answers.every(({ status }) => status === 401 || status === 403))
    return [
      `${all} were answered with ${first.status}: the key was rejected everywhere, so nothing else was tested`,
    ];
  const statuses = [...new Set(answers.map(({ status }) => status))].join(', ');
  return [`${all} were refused or failed (status ${statuses}): the refusals of this run prove nothing`];
}

/** The chats that a conforming service accepts: those that it refuses for a plain reason, to be compared with, are none. */
function counterpartsIn(record: readonly Exchange[], info: TargetInfo | undefined): readonly Exchange[] {
  return record.filter(
    ({ id, request }) =>
      id.startsWith('control/') && isChat(request) && (info === undefined || !isRefusedChat(request, info)),
  );
}

function isChat({ path }: Exchange['request']): boolean {
  return path === ENDPOINTS.chat;
}

/** Reads the answer first: requests are many, some are large, and most answers end the search. */
function isServedStream({ request, outcome }: Exchange): boolean {
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer) || !isEventStream(outcome.answer))
    return false;
  return sentChat(request)?.['stream'] === true;
}

/** Answers that prove nothing: a few are a warning, many cut the run short. */
function spoiledAnswers(record: readonly Exchange[], howMany: 'few' | 'many'): readonly string[] {
  const [unpaid, cut] = [
    record.filter(isOutOfCredits).length,
    record.flatMap(answerIn).filter(isCutShort).length,
  ];
  const sent = sentIn(record);
  const spoiled: readonly (readonly [count: number, says: string])[] = [
    [
      unpaid,
      `${unpaid} of ${sent} requests were refused for lack of credits (status 402), and say nothing else: give the workspace more`,
    ],
    [cut, `${cut} of ${sent} answers were not kept whole: what holds of every answer was not judged of them`],
  ];
  return spoiled.flatMap(([count, says]) =>
    count > 0 && isMany(count, record) === (howMany === 'many') ? says : [],
  );
}

/** More than a tenth of what was sent: a few may be, not more. */
function isMany(count: number, record: readonly Exchange[]): boolean {
  return count * 10 > sentIn(record);
}

function sentIn(record: readonly Exchange[]): number {
  return record.filter(({ outcome }) => outcome.kind !== 'not-sent').length;
}

const UNDECIDED: Readonly<Record<string, (clause: ClauseResult) => boolean>> = {
  'never exercised': ({ verdict }) => verdict === 'not-exercised',
  'seen only in part': ({ missing }) => missing !== undefined,
  inconclusive: ({ verdict, missing }) => verdict === 'inconclusive' && missing === undefined,
};

/** The clauses that bind the service and have checks in this run. */
function clausesWithChecks(clauses: Circumstances['clauses']): Circumstances['clauses'] {
  return clauses.filter(({ id, bound, checks }) => {
    return bound === 'service' && CLAUSES[id].notYet === undefined && checks.length > 0;
  });
}

function undecidedClauses(clauses: Circumstances['clauses']): readonly string[] {
  const own = clausesWithChecks(clauses);
  return Object.entries(UNDECIDED).flatMap(([phrase, isSo]) => {
    const ids = own.filter(isSo).map(({ id }) => id);
    return ids.length === 0
      ? []
      : [`${ids.length} of ${own.length} clauses were ${phrase}: ${ids.join(' ')}`];
  });
}

function answerIn({ outcome }: Exchange): readonly Answer[] {
  return outcome.kind === 'answered' ? [outcome.answer] : [];
}
