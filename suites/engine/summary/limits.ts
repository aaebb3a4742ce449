import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import { isRefusedChat } from '../inputs/provoking/chat-drafts.ts';
import { type Answer, type Exchange, isCutShort, isOutOfCredits } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import type { CheckResult, ClauseResult, Verdict } from '../model/summary.ts';
import type { Profile, TargetInfo } from '../model/target.ts';
import { isSuccess } from '../reading/answers.ts';
import { isRateLimited } from '../sending/rate-limit-error.ts';

/** What decides how much a run proves. */
export interface Circumstances {
  readonly record: readonly Exchange[];
  readonly clauses: readonly ClauseResult[];
  /** Undefined where the preflight did not end. */
  readonly info: TargetInfo | undefined;
  readonly concurrency: number;
  readonly withholds?: RunOptions['withholds'];
}

/** What a run has to say of itself; nothing where it proves what it can. */
export function limitsOf(run: Circumstances) {
  const { record, clauses, info } = run;
  const sent = record.filter(({ outcome }) => outcome.kind !== 'not-sent');
  // A few may be, not more than a tenth.
  const isMany = (count: number): boolean => count * 10 > sent.length;
  const limited = record.filter(isSlowedDown).length;
  const unpaid = record.filter(isOutOfCredits).length;
  const cut = record.flatMap(answersIn).filter(isCutShort).length;
  const many = (count: number): Limit => (isMany(count) ? 'cutShort' : count > 0 && 'warnings');
  const all = sent.length;
  const table: Readonly<Record<string, Limit>> = {
    'no completions were requested, so a refusal may have another reason':
      run.withholds !== undefined && 'warnings',
    'the target lists only one model: differences between models were not tested':
      info?.models.length === 1 && 'warnings',
    [`the rate limit refused ${limited} of ${all} requests: try ${run.concurrency > 1 ? '--concurrency 1' : '--pace'}`]:
      isMany(limited) && 'warnings',
    [`${unpaid} of ${all} requests were refused for lack of credits (status 402) and show nothing else: add credits to the workspace`]:
      many(unpaid),
    [`${cut} of ${all} answers were not kept whole, so the checks of every answer skipped them`]: many(cut),
  };
  const said = (wanted: Limit) => Object.keys(table).filter((says) => table[says] === wanted);
  return {
    cutShort: [...noChatAccepted(run, sent), ...said('cutShort')],
    warnings: [...said('warnings'), ...aboutCaps(clauses)],
  };
}

/** What a circumstance does to a run. `cutShort`: its answers prove too little. `warnings`: less than its verdicts suggest. */
type Limit = 'cutShort' | 'warnings' | false;

/** Nothing is known about completions, and how much was decided; nothing where a chat was accepted, or the run could not begin. */
function noChatAccepted({ withholds, info, clauses }: Circumstances, sent: readonly Exchange[]): string[] {
  if (info === undefined) return [];
  const chats = sent.filter(({ request }) => request.path === ENDPOINTS.chat);
  // A conforming service accepts counterparts, but for those that it refuses for a plain reason, to be compared with.
  const counterparts = chats.filter(
    ({ id, request }) => id.startsWith('control/') && !isRefusedChat(request, info),
  );
  const acceptable = counterparts.length > 0 ? counterparts : chats;
  if (acceptable.flatMap(answersIn).some(isSuccess)) return [];
  const own = clauses.filter(({ bound, checks }) => bound === 'service' && checks.length > 0);
  const decided = own.filter(({ verdict }) => !isUndecided(verdict) && verdict !== 'error').length;
  const why = chats.length === 0 ? ', since none was sent' : whyRefused(counterparts, withholds);
  return [
    `no chat was accepted${why}: nothing is known about completions; clauses decided: ${decided} of ${own.length}`,
  ];
}

/** Without an accepted counterpart, no refusal proves anything. */
function whyRefused(counterparts: readonly Exchange[], withholds: RunOptions['withholds']): string {
  if (withholds !== undefined) return ', since this run sends only chats that must be refused';
  const statuses = [...new Set(counterparts.flatMap(answersIn).map(({ status }) => status))];
  if (statuses.length === 0) return '';
  const isKey = statuses.every((status) => status === 401 || status === 403);
  return `${isKey ? ', since the key was rejected everywhere' : ''} (status ${statuses.join(', ')})`;
}

/** Whether the rate limit refused it, where nobody meant to provoke that. */
function isSlowedDown({ id, outcome }: Exchange): boolean {
  return isRateLimited(outcome) && !id.startsWith('rate-limit');
}

function isUndecided(verdict: Verdict): boolean {
  return verdict === 'not-exercised' || verdict === 'inconclusive';
}

function answersIn({ outcome }: Exchange): readonly Answer[] {
  return outcome.kind === 'answered' ? [outcome.answer] : [];
}

const CAPPED = /the cap of \d+ (completion|request)s?\b/;

/** Whether it was for want of room that something was not sent. */
export function namesCap(reason: string): boolean {
  return CAPPED.test(reason);
}

/** Which clauses a cap has left out, and what to do. */
function aboutCaps(clauses: readonly ClauseResult[]): readonly string[] {
  const left = clauses.filter(({ verdict, reason }) => isUndecided(verdict) && namesCap(reason));
  const or = clauses.some(({ verdict }) => verdict === 'fail') ? ', or fix the failures first' : '';
  return [...Map.groupBy(left, ({ reason }) => CAPPED.exec(reason)?.[1])].map(([what, some]) => {
    const ids = some.map(({ id }) => id).join(' ');
    return `not checked for lack of ${what}s: ${ids}; raise --max-${what}s${or}`;
  });
}

/**
 * The reasons why a run ended early. A cap that left out only inputs of checks of open points, or of `known` failures, is none: a
 * warning says so, since nothing was left out that a service must keep. `capped`: the checks of which a cap left inputs out.
 */
export function partedCuts(
  reasons: readonly string[],
  capped: readonly Pick<CheckResult, 'id' | 'level' | 'clauses' | 'verdict'>[],
  known: ReadonlySet<string> = new Set(),
  { pins = {}, met = [] }: { readonly pins?: Profile['pins']; readonly met?: readonly string[] } = {},
) {
  // What a profile pins must be compared: here, or by another check that met the point.
  const unmet = openPoints().filter(({ name }) => Object.hasOwn(pins, name) && !met.includes(name));
  const isOnlyObserved = ({ level, clauses, verdict }: (typeof capped)[number]): boolean =>
    level === 'open' && (verdict === 'pass' || !unmet.some(({ clause }) => clauses.includes(clause)));
  const isMild = capped.length > 0 && capped.every((each) => known.has(each.id) || isOnlyObserved(each));
  const isWarning = (reason: string): boolean => isMild && namesCap(reason);
  const says = `open points and known failures got fewer inputs (${capped.map(({ id }) => id).join(' ')})`;
  return {
    cutShort: reasons.filter((reason) => !isWarning(reason)),
    warnings: reasons.filter(isWarning).map((cap) => `${cap}: ${says}`),
  };
}
