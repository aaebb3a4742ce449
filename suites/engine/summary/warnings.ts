import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { isRefusedChat } from '../inputs/provoking/chat-drafts.ts';
import { type Answer, type Exchange, isCutShort, isOutOfCredits } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { ClauseResult } from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import { isSuccess, sentChat } from '../reading/answers.ts';
import { isEventStream } from '../reading/errors/disposition.ts';
import { isRateLimited } from '../sending/rate-limiter.ts';
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
  return [
    ...aboutChats(circumstances),
    ...aboutStreams(circumstances),
    ...aboutModels(circumstances),
    ...aboutRates(circumstances),
    ...aboutCredits(circumstances),
    ...aboutCuts(circumstances),
    ...aboutBodies(circumstances),
    ...aboutCaps(circumstances),
    ...aboutClauses(circumstances),
  ];
}

/**
 * Why a run proves nothing about completions, and how much it decided: no chat was accepted, whatever it was to send.
 * Undefined where one was, or the run could not begin.
 */
export function noChatAccepted({
  record,
  withholds,
  info,
  clauses,
}: Pick<Circumstances, 'record' | 'withholds' | 'info' | 'clauses'>): string | undefined {
  const chats = record.filter(({ request, outcome }) => isChat(request) && outcome.kind !== 'not-sent');
  const counterparts = counterpartsIn(chats, info);
  const acceptable = counterparts.length > 0 ? counterparts : chats;
  if (info === undefined || acceptable.flatMap(answerIn).some(isSuccess)) return undefined;
  const refusable = withholds === undefined ? '' : ', since this run sends only chats that must be refused';
  const own = clausesWithChecks(clauses);
  const decided = own.filter(({ verdict }) => !isUndecided(verdict) && verdict !== 'error').length;
  return [
    `no chat was accepted${chats.length === 0 ? ', since none was sent' : refusable}: nothing is known about completions`,
    `${decided} of ${own.length} clauses were decided`,
  ].join('; ');
}

/** Why a run is incomplete whatever it was to send: its answers prove too little. */
export function provesLittle(circumstances: Parameters<typeof noChatAccepted>[0]): readonly string[] {
  return [noChatAccepted(circumstances), creditsRanOut(circumstances), keptTooLittle(circumstances)].filter(
    (reason) => reason !== undefined,
  );
}

function aboutChats({ record, info, withholds }: Circumstances): readonly string[] {
  if (withholds !== undefined) return ['no completions were requested: a refusal may be for another reason'];
  const answers = counterpartsIn(record, info).flatMap(answerIn);
  const [first] = answers;
  if (first === undefined || answers.some(isSuccess)) return [];
  const all = `all ${answers.length} chats that a conforming service accepts`;
  if (answers.every(({ status }) => status === 401 || status === 403))
    return [
      `${all} were answered with ${first.status}: the key was rejected everywhere, so nothing else was tested`,
    ];
  return [
    `${all} were refused or failed (status ${statusesOf(answers)}): the refusals of this run prove nothing`,
  ];
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

function aboutStreams({ record, clauses, withholds }: Circumstances): readonly string[] {
  const isAskedFor = clauses.some(({ id, checks }) => id === 'STR-1' && checks.length > 0);
  if (!isAskedFor || withholds !== undefined) return [];
  if (record.some(isServedStream)) return [];
  return ['no stream was received: nothing is known about streaming'];
}

/** Reads the answer first: requests are many, some are large, and most answers end the search. */
function isServedStream({ request, outcome }: Exchange): boolean {
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer) || !isEventStream(outcome.answer))
    return false;
  return sentChat(request)?.['stream'] === true;
}

function aboutModels({ info }: Circumstances): readonly string[] {
  return info?.models.length !== 1
    ? []
    : ['the target lists only one model: differences between models were not tested'];
}

function aboutRates({ record }: Circumstances): readonly string[] {
  const refused = record.filter(({ id, outcome }) => isRateLimited(outcome) && !id.startsWith('rate-limit'));
  if (!isMany(refused.length, record)) return [];
  return [`the rate limit refused ${refused.length} of ${sentIn(record)} requests: try --concurrency 1`];
}

function aboutCredits({ record }: Circumstances): readonly string[] {
  const refused = record.filter(isOutOfCredits).length;
  return refused === 0 || creditsRanOut({ record }) !== undefined ? [] : [refusedForCredits(refused, record)];
}

/** Why a run is cut short whose requests were refused for lack of credits, more than a few of them. */
export function creditsRanOut({ record }: Pick<Circumstances, 'record'>): string | undefined {
  const refused = record.filter(isOutOfCredits).length;
  return isMany(refused, record) ? refusedForCredits(refused, record) : undefined;
}

function refusedForCredits(refused: number, record: readonly Exchange[]): string {
  return `${refused} of ${sentIn(record)} requests were refused for lack of credits (status 402), and say nothing else: give the workspace more`;
}

/** More than a tenth of what was sent: a few may be, not more. */
function isMany(count: number, record: readonly Exchange[]): boolean {
  return count * 10 > sentIn(record);
}

function sentIn(record: readonly Exchange[]): number {
  return record.filter(({ outcome }) => outcome.kind !== 'not-sent').length;
}

function aboutCuts({ draws: { begun, cut } }: Circumstances): readonly string[] {
  return cut === 0 ? [] : [`${cut} of ${begun} draws were sent only in part: the reasons and --plan say why`];
}

/** What judges every answer of a run passes those over of which a part is not kept. */
export function keptTooLittle({ record }: Pick<Circumstances, 'record'>): string | undefined {
  const cut = cutBodies(record);
  return isMany(cut, record) ? notKeptWhole(cut, record) : undefined;
}

function aboutBodies({ record }: Circumstances): readonly string[] {
  const cut = cutBodies(record);
  return cut === 0 || keptTooLittle({ record }) !== undefined ? [] : [notKeptWhole(cut, record)];
}

function cutBodies(record: readonly Exchange[]): number {
  return record.flatMap(answerIn).filter(isCutShort).length;
}

function notKeptWhole(cut: number, record: readonly Exchange[]): string {
  return `${cut} of ${sentIn(record)} answers were not kept whole: what holds of every answer was not judged of them`;
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

function aboutClauses({ clauses }: Circumstances): readonly string[] {
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

function statusesOf(answers: readonly Answer[]): string {
  return [...new Set(answers.map(({ status }) => status))].join(', ');
}
