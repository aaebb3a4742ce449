import { isOwn } from '../model/check.ts';
import { stimulusOf } from '../model/exchange.ts';
import { isSameFailure, kindOf } from '../model/ruling.ts';
import type { CheckResult, NotBegun, Remedy, ShownExchange, Summary } from '../model/summary.ts';
import { gatewaysBefore, remediesFor } from '../summary/remedies.ts';
import { printable } from '../text/printable.ts';
import { clausesOf, counted, displayReason, isFailing, isWarning, verdictCounts } from './display-verdict.ts';
import type { Part } from './failure-parts.ts';

/** What a reader must know or do, beside the verdicts: a part of every report for people, made of texts that are not escaped yet. */
export type Section = ReturnType<typeof sections>[number];

export interface SectionItem {
  /** The checks that it is about, which failed or warn alike. */
  readonly results: readonly CheckResult[];
  /** Of these checks; `own` for those of one's own. */
  readonly clauses: string;
  readonly text: string;
  /** What several checks share. */
  readonly alike?: string;
  /** What to change. */
  readonly advice: readonly Part[];
  /** The request that it is about. */
  readonly exchange?: ShownExchange;
}

/** The sections of a summary that are not empty, in the order in which a page shows them. */
export function sections(summary: Summary) {
  const { notBegun, baseline, failedOn = [], checks, cutShort, warnings, uncertain } = summary;
  const ends = notBegun === undefined ? [cutShort, incompleteReasons(summary)] : [];
  const [cut = [], incomplete = []] = ends;
  const begin = notBegun === undefined ? [] : [notBegun.reason, ...firstAnswerLines(notBegun)];
  const known = checks.filter((each) => each.known !== undefined);
  const failures = failureGroups(summary, isFailing).map(groupItem);
  const warned = failureGroups(summary, isWarning).map(groupItem);
  const all = [
    ['not-begun', 'error', 'The run could not begin', begin.map(asItem)],
    ['failures', 'error', 'Failures', failures],
    ['baseline', 'error', 'Baseline out of date', (baseline?.problems ?? []).map(asItem)],
    ['failed-on', 'error', 'Failed because of --fail-on', failedOn.map(asItem)],
    ['known', 'note', 'Known failures', known.map(resultItem)],
    ['warnings', 'warning', 'Warnings', warned],
    ['workspace', 'warning', 'Check these in the workspace', uncertain.map(uncertainItem)],
    ['cut-short', 'warning', 'Cut short', cut.map(asItem)],
    ['incomplete', 'warning', 'Incomplete', incomplete.map(asItem)],
    ['limits', 'warning', 'Limits of this run', warnings.map(asItem)],
  ] as const;
  return all
    .map(([kind, severity, title, items]) => ({ kind, severity, title, items }))
    .filter(({ items }) => items.length > 0);
}

function uncertainItem({ id, idempotencyKey: key, reason, exchange }: Summary['uncertain'][number]) {
  const sent = key === undefined ? `sent without an Idempotency-Key (${id})` : `Idempotency-Key ${key}`;
  return { ...asItem(`${sent}: ${reason}`), exchange };
}

function asItem(text: string): SectionItem {
  return { results: [], clauses: '', text, advice: [] };
}

function resultItem(result: CheckResult): SectionItem {
  return { results: [result], clauses: clausesOf(result), text: displayReason(result), advice: [] };
}

function groupItem(group: FailureGroup): SectionItem {
  const { results } = group;
  const clauses = clausesOf(group);
  const head = `${results.length} checks of ${clauses} fail for one reason: ${sharedReason(group)}`;
  const alike = results.length === 1 ? {} : { alike: head };
  return { ...resultItem(results[0]), results, clauses, ...alike, advice: adviceOn(group) };
}

function sharedReason({ results, code = '', path }: FailureGroup): string {
  const findings = results.flatMap(({ evidence: [first] }) => first?.finding ?? []);
  const items = [
    ['expected', 'expected'],
    ['got', 'actual'],
  ] as const;
  const said = items.flatMap(([word, name]) => {
    const [text, ...others] = new Set(findings.map((each) => each[name]));
    return text === undefined || others.length > 0 ? [] : `${word} ${text}`;
  });
  const where = path === undefined ? '' : ` at ${path}`;
  return `${said.join('; ') || code}${where}`;
}

/** Why a run is incomplete, beside what cut it short; none where it is not. */
export function incompleteReasons({ outcome, cutShort, uncertain, checks }: Summary): readonly string[] {
  if (outcome !== 'incomplete') return [];
  const errors = checks.filter(({ verdict }) => verdict === 'error');
  const own = errors.filter(isOwn).length;
  const all = [
    [uncertain.length, 'request', 'with an unknown outcome: check the workspace'],
    [errors.length - own, 'check', 'stopped with an internal error of chat-conformance'],
    [own, 'check', 'of your own threw an error'],
  ] as const;
  const reasons = all.flatMap(([count, noun, what]) => (count > 0 ? `${counted(count, noun)} ${what}` : []));
  if (cutShort.length + reasons.length > 0) return reasons;
  return [`nothing was decided: ${undecided(checks)}`];
}

function undecided(checks: Summary['checks']): string {
  const [commonest] = [...Map.groupBy(checks, ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const counts = verdictCounts(checks).map(({ word, count }) => `${count} ${word}`);
  return commonest === undefined ? 'no check was selected' : `${counts.join(', ')} (${commonest[0]})`;
}

/** Headers that tell who answered, and where the service may be instead. */
const TELLING = ['server', 'via', 'location', 'content-type', 'content-encoding', 'www-authenticate'];

/** What came in place of what a run begins with: the request, its answer, the headers that tell, and the first bytes. */
export function firstAnswerLines({ exchange }: Partial<NotBegun>): readonly string[] {
  const { request, answer } = { ...exchange };
  // The reason says already that there is none.
  if (request === undefined || answer === undefined) return [];
  const telling = TELLING.filter((name) => answer.headers[name] !== undefined);
  return [
    `${request.method} ${request.path} (${request.credential}): ${answer.status}`,
    ...telling.map((name) => `${name}: ${answer.headers[name]}`),
    answer.body || '(no body)',
  ].map((line) => printable(line));
}

type Results = [CheckResult, ...CheckResult[]];

/** Checks that share a finding, and with it the stimulus that provoked it or a clause. */
export type FailureGroup = ReturnType<typeof failureGroups>[number];

/** The results that a report selects, each once; the group with the most checks first. */
export function failureGroups({ checks }: Pick<Summary, 'checks'>, isSelected: typeof isFailing) {
  const groups: Results[] = [];
  for (const result of checks.filter(isSelected)) {
    const alike = groups.find((group) => group.some((other) => isAlike(result, other)));
    if (alike === undefined) groups.push([result]);
    else alike.push(result);
  }
  return groups
    .toSorted((one, other) => other.length - one.length)
    .map((results) => {
      const [first] = results[0].failures;
      return {
        results,
        clauses: [...new Set(results.flatMap(({ clauses }) => clauses))],
        ...(first !== undefined && kindOf(first)),
        remedies: remediesFor(results, checks),
        // What stands before the service, and may have read and written the chats.
        gateways: gatewaysBefore(results),
      };
    });
}

function isAlike(one: CheckResult, other: CheckResult): boolean {
  const [[mine], [theirs]] = [one.evidence, other.evidence];
  if (mine === undefined || theirs === undefined) return false;
  if (!isSameFailure(mine.finding, theirs.finding)) return false;
  return (
    stimulusOf(mine.exchange) === stimulusOf(theirs.exchange) ||
    one.clauses.some((clause) => other.clauses.includes(clause))
  );
}

/** What to do about a group: `likely` where the run shows what the service is made of. */
function adviceOn({ remedies, gateways }: FailureGroup): readonly Part[] {
  const bypass =
    'may have dropped, changed or answered the request: run again with the --base-url of the service itself';
  return [
    ...gateways.map((each) => ({ label: 'gateway', lines: [`${printable(each, 120)} ${bypass}`] })),
    ...remedies.map((remedy) => {
      const label = remedy.seen === undefined ? 'usually' : 'likely';
      return { label, lines: [remedyText(remedy)] };
    }),
  ];
}

/** `zod: z.object() drops what it does not name: z.strictObject({ … })`. */
export function remedyText({ of, seen, cause, mend, docs }: Remedy): string {
  const who = of === undefined ? '' : `${of}${seen === undefined ? '' : ` (${printable(seen, 60)})`}: `;
  return `${who}${cause}: ${mend}${docs === undefined ? '' : ` (${docs})`}`;
}
