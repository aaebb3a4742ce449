import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import { type Answer, type Exchange, isCutShort, isOutOfCredits } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { CheckResult, ClauseResult, Verdict } from '../model/summary.ts';
import type { Profile, TargetInfo } from '../model/target.ts';
import { isRefusedChat } from '../provoking/chat-drafts.ts';
import { isSuccess, sentChat } from '../reading/answers.ts';
import { isEventStream } from '../reading/errors/disposition.ts';
import { isRateLimited } from '../sending/rate-limiter.ts';

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

const CAPPED = /the cap of (\d+) (completion|request)s?\b/;

/** Whether it was for want of room that something was not sent. */
export function namesCap(reason: string): boolean {
  return CAPPED.test(reason);
}

/** Which clauses a cap has left out, and what to do. */
function aboutCaps({ clauses, record }: Circumstances): readonly string[] {
  const capped = clauses.flatMap(({ id, verdict, reason }) => {
    const [, cap, what] = (isUndecided(verdict) && CAPPED.exec(reason)) || [];
    return cap === undefined || what === undefined ? [] : [{ id, cap: Number(cap), what }];
  });
  const hasFailures = clauses.some(({ verdict }) => verdict === 'fail');
  return [...Map.groupBy(capped, ({ what }) => what)].map(([what, some]) => {
    const more = Math.max(...some.map(({ cap }) => cap)) + unsentFor(what, record);
    const advice = `run again with --max-${what}s ${Math.ceil(more / STEP) * STEP}`;
    const ids = some.map(({ id }) => id).join(' ');
    return `not checked for lack of ${what}s: ${ids}; ${advice}${hasFailures ? ', or fix the failures first' : ''}`;
  });
}

/** A check, its verdict, and why inputs of it were left out. */
interface CutCheck extends Pick<CheckResult, 'id' | 'level' | 'clauses' | 'verdict'> {
  readonly cutFor: ReadonlySet<string>;
}

/** The open points that a run has met, those that its profile pins, and the checks that its baseline lists. */
interface Expected {
  readonly pins?: Profile['pins'] | undefined;
  readonly met: ReadonlySet<string>;
  readonly known?: ReadonlySet<string> | undefined;
}

/**
 * The reasons why a run ended early, without caps that only left open points with fewer observations, or failures that are
 * known: nothing that a service must keep was left out, and a warning says it. Nor was anything that a profile pins, as long as each check of
 * pinned points has compared one of them; the warning names the others.
 */
export function partedCuts(
  reasons: readonly string[],
  checks: readonly CutCheck[],
  points: Expected,
): { readonly cutShort: readonly string[]; readonly curtailed: readonly string[] } {
  // An input may also be left out because it alone asks for too much, in a run that no cap ends.
  const cut = checks.filter(({ cutFor }) => [...cutFor].some((reason) => CAPPED.test(reason)));
  const known = cut.filter(({ id }) => points.known?.has(id) === true);
  const others = cut.filter((each) => !known.includes(each));
  const isLeftOut = cut.length > 0 && others.every((each) => isOnlyObserved(each, points));
  if (!isLeftOut) return { cutShort: reasons, curtailed: [] };
  const caps = reasons.filter(namesCap);
  return {
    cutShort: reasons.filter((reason) => !namesCap(reason)),
    curtailed: caps.flatMap((cap) => [...knownText(cap, known), ...observedText(cap, others, points)]),
  };
}

function idsOf(checks: readonly CutCheck[]): string {
  return checks.map(({ id }) => id).join(' ');
}

function knownText(reason: string, checks: readonly CutCheck[]): readonly string[] {
  return checks.length === 0 ? [] : [`${reason}: known failures were not all sent again (${idsOf(checks)})`];
}

function observedText(reason: string, checks: readonly CutCheck[], points: Expected): readonly string[] {
  const missed = [...new Set(checks.flatMap((each) => uncompared(each, points)))].join(' ');
  const text = `open points were observed with fewer inputs (${idsOf(checks)})${missedText(reason, missed)}`;
  return checks.length === 0 ? [] : [`${reason}: ${text}`];
}

function missedText(reason: string, points: string): string {
  const [, , what = ''] = CAPPED.exec(reason) ?? [];
  return points === ''
    ? ''
    : `; pinned, but not compared: ${points} (a higher --max-${what}s has room for them)`;
}

/** Whether the left-out inputs of a check could have shown no violation, or only one of points of which it compared some. */
function isOnlyObserved(check: CutCheck, points: Expected): boolean {
  return check.level === 'open' && (check.verdict === 'pass' || uncompared(check, points).length === 0);
}

/** The pinned points of its clauses that nothing in the run has shown. */
function uncompared({ clauses }: CutCheck, { pins = {}, met }: Expected): readonly string[] {
  return openPoints()
    .filter(({ name, clause }) => clauses.includes(clause) && Object.hasOwn(pins, name) && !met.has(name))
    .map(({ name }) => name);
}

/** A round number is easier to read, and leaves room for what follows from the answers. */
const STEP = 20;

function unsentFor(what: string, record: readonly Exchange[]): number {
  return record.filter(
    ({ outcome }) => outcome.kind === 'not-sent' && CAPPED.exec(outcome.reason)?.[2] === what,
  ).length;
}

function isUndecided(verdict: Verdict): boolean {
  return verdict === 'not-exercised' || verdict === 'inconclusive';
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
