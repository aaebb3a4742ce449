import { CLAUSES, type Section } from '../../../fixtures/clauses/clauses.ts';
import { isOwn, OWN_SECTION } from '../model/check.ts';
import type { CheckResult, ClauseResult, Summary, Verdict } from '../model/summary.ts';
import { WEIGHTIEST_FIRST } from '../summary/clause-results.ts';
import type { TextStyle } from './colours.ts';

/** The verdict as files show it; it says so when a baseline lists the failure. */
export function displayVerdict({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): string {
  return known === undefined ? verdict : `${verdict}, known`;
}

/** The reason, after the reasons that a baseline gives and how much could be read. */
export function displayReason(result: Pick<CheckResult, 'reason' | 'known' | 'trials'>): string {
  const { reason, known = [], trials } = result;
  const read = trials === undefined ? '' : `${trials.held} passed, ${trials.unreadable} could not be read`;
  return [...known, reason.startsWith(read) ? '' : read, reason].filter((text) => text !== '').join(': ');
}

/** Whether a check alone fails the run: known failures and warnings do not. */
export function isFailing({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): boolean {
  return verdict === 'error' || (verdict === 'fail' && known === undefined);
}

/** Whether a check warns, and no baseline knows of it. */
export function isWarning({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): boolean {
  return verdict === 'warn' && known === undefined;
}

/** What counts of each verdict are called, as in `3 passed`, and how a terminal shows it. */
export const VERDICTS: Readonly<Record<Verdict, { readonly word: string; readonly style: TextStyle }>> = {
  fail: { word: 'failed', style: 'red' },
  error: { word: 'errored', style: 'red' },
  warn: { word: 'warned', style: 'yellow' },
  pass: { word: 'passed', style: 'green' },
  observed: { word: 'observed', style: 'cyan' },
  inconclusive: { word: 'inconclusive', style: 'yellow' },
  'not-exercised': { word: 'not exercised', style: 'dim' },
};

/** What clauses are called of which only some duties were seen to hold. */
export const IN_PART = 'passed in part';

/** The results with each verdict, the worst first, and clauses that passed in part by themselves. None is empty. */
export function verdictCounts<T extends Pick<ClauseResult, 'verdict' | 'missing'>>(all: readonly T[]) {
  return WEIGHTIEST_FIRST.flatMap((verdict) => {
    const own = all.filter((result) => result.verdict === verdict);
    const words = Map.groupBy(own, ({ missing }) => (missing ? IN_PART : VERDICTS[verdict].word));
    return [...words].map(([word, results]) => ({ verdict, word, count: results.length, results }));
  });
}

/** Of a clause that passed in part, the duties that were not seen, a line for each reason. */
export function missingLines({ missing = [] }: Pick<ClauseResult, 'missing'>): readonly string[] {
  return [...Map.groupBy(missing, ({ reason }) => reason)].map(
    ([reason, same]) => `${same.map(({ duty }) => duty).join(', ')} (${reason})`,
  );
}

/** `18 of 277`; empty when a check tried all its inputs. */
export function triedInputs({ inputs }: CheckResult): string {
  return inputs === undefined ? '' : `${inputs.tried} of ${inputs.of}`;
}

/** One line on the inputs that were left untried; none when all were tried. */
export function inputsLines({ checks, cutShort, runs }: Summary): readonly string[] {
  const partial = checks.filter(({ inputs }) => inputs !== undefined).length;
  const advice = typeof runs === 'string' && cutShort.length === 0 ? '; --tier exhaustive tries all' : '';
  return partial === 0 ? [] : [`${counted(partial, 'check')} tried only part of their inputs${advice}`];
}

/** `1 request`, `2 requests` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `Spent 40 requests, 8 completions, 99 output tokens in 1.2 s`; a proxy spends nothing, and counts no tokens. */
export function spentText({ spent, durationMs, target }: Summary): string {
  const { requests, completions, outputTokens } = spent;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  const both = `${counted(requests, 'request')}, ${counted(completions, 'completion')}`;
  if (target.passing === true) return `Passed on ${both} in ${seconds}`;
  return `Spent ${both}, ${counted(outputTokens, 'output token')} in ${seconds}`;
}

/** The section that a check is reported in: that of its first clause, and one for checks of one's own. */
export function sectionOf(result: CheckResult): Section | typeof OWN_SECTION | undefined {
  if (isOwn(result)) return OWN_SECTION;
  const [first] = result.clauses;
  return first === undefined ? undefined : CLAUSES[first].section;
}

/** The clauses of a check; of one's own without any, that section. */
export function clausesOf({ clauses }: Pick<CheckResult, 'clauses'>): string {
  return clauses.length === 0 ? OWN_SECTION : clauses.join(' ');
}

/** What was run, and what it spent: a line for each. The first has words of the user. */
export function factLines(summary: Summary): readonly string[] {
  return [headline(summary), spentText(summary), ...inputsLines(summary)];
}

/** `http://127.0.0.1/v1 (live, profile p), seed 7` */
function headline({ target, seed }: Pick<Summary, 'target' | 'seed'>): string {
  const profile = target.profile === null ? '' : `, profile ${target.profile}`;
  const inputs = target.passing === true ? 'observed traffic' : `seed ${seed}`;
  return `${target.baseUrl} (${target.kind}${profile}), ${inputs}`;
}

/** The number behind the outcome: `3 failures`; without any, `95 of 117 checks passed`. */
export function countText({ checks, notBegun }: Pick<Summary, 'checks' | 'notBegun'>): string {
  if (notBegun !== undefined) return 'the run could not begin';
  const failures = checks.filter(isFailing).length;
  if (failures > 0) return counted(failures, 'failure');
  const passed = checks.filter(({ verdict }) => verdict === 'pass').length;
  return `${passed} of ${counted(checks.length, 'check')} passed`;
}

/** What a reader must know beside the outcome: ` (the bundled mock)`, ` (apart from 2 known failures)`; empty if nothing. */
export function outcomeNotes({ target, checks, baseline, failedOn }: Summary): string {
  const known = checks.filter((each) => each.known !== undefined).length;
  const notes = [
    ...(target.kind === 'mock' ? ['the bundled mock'] : []),
    ...(known > 0 ? [`apart from ${counted(known, 'known failure')}`] : []),
    ...(baseline !== undefined && baseline.problems.length > 0 ? ['the baseline is out of date'] : []),
    ...(failedOn === undefined ? [] : ['by --fail-on']),
  ];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

/** ` of staging`: what tells the reports of several targets apart; empty for a target without a name. */
export function ofTarget({ target: { name } }: Pick<Summary, 'target'>): string {
  return name === undefined ? '' : ` of ${name}`;
}

/** The outcome that decides the exit code, with its notes. */
export function outcomeText(summary: Summary): string {
  return summary.outcome + outcomeNotes(summary);
}
