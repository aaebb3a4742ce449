import { stimulusOf } from '../model/exchange.ts';
import { isSameFailure, kindOf } from '../model/ruling.ts';
import type { CheckResult, Remedy, Summary } from '../model/summary.ts';
import { gatewaysBefore, remediesFor } from '../summary/remedies.ts';
import { printable } from '../text/printable.ts';
import type { Part } from './failure-parts.ts';

type Results = [CheckResult, ...CheckResult[]];

/** Checks that share a finding, and with it the stimulus that provoked it or a clause. */
export type FailureGroup = ReturnType<typeof failureGroups>[number];

/** The results that a report selects, each once; the group with the most checks first. */
export function failureGroups(
  { checks }: Pick<Summary, 'checks'>,
  isSelected: (result: CheckResult) => boolean,
) {
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
export function adviceOn({ remedies, gateways }: FailureGroup): readonly Part[] {
  const bypass =
    'may have dropped, changed or answered it: run again with the --base-url of the service itself';
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
