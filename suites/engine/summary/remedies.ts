import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Remedy } from '../model/summary.ts';
import { type Beside, fitsKind } from './finding-kinds.ts';
import { type Framework, frameworkNamed, rowsOf, type Sign, signsIn } from './frameworks.ts';
import { REMEDY_TABLE } from './remedy-table.ts';

interface Listed {
  readonly kind: string;
  readonly clauses: readonly string[];
  readonly codes: readonly string[];
  readonly of: Framework | undefined;
  readonly cause: string;
  readonly mend: string;
}

const LISTED: readonly Listed[] = listed();

function listed(): readonly Listed[] {
  let head: readonly string[] = [];
  return rowsOf(REMEDY_TABLE).flatMap(([first = '', cause, mend = '']) => {
    if (cause === undefined) head = first.split(': ');
    const [kind = '', clauses = '', codes = ''] = head;
    const lists = { kind, clauses: clauses.split(' '), codes: codes.split(' ') };
    return cause === undefined ? [] : [{ ...lists, of: frameworkNamed(first), cause, mend }];
  });
}

/** Of these, the answer itself has to show who wrote it. */
const OWN_PAGES: ReadonlySet<string> = new Set(['no error object', 'a page of a front']);

const MOST = 3;

/** What usually mends the failures of a group, by what the run shows of the service, and nothing that it refutes. */
export function remediesFor(group: readonly CheckResult[], run: readonly CheckResult[]): readonly Remedy[] {
  const beside = saidBy(run);
  const own = signsOf(group);
  const services = signsOf(run).filter(({ of }) => !of.isFront);
  const remedies = LISTED.filter((each) => group.some((check) => isOf(each, check, beside))).flatMap(
    (each) => {
      const sign = signFor(each, own, services);
      if (sign === undefined && !isUsual(each, services)) return [];
      // A framework of that name, then what its language offers, then what nothing shows.
      return { rank: sign === undefined ? 2 : Number(sign.of !== each.of), remedy: remedyOf(each, sign) };
    },
  );
  const best = Math.min(...remedies.map(({ rank }) => rank));
  const shown = remedies.filter(({ rank }) => rank === best).slice(0, MOST);
  return shown.map(({ remedy }) => remedy);
}

function saidBy(run: readonly CheckResult[]): Beside {
  const own = (clause: ClauseId): readonly CheckResult[] =>
    run.filter(({ clauses }) => clauses.includes(clause));
  return {
    passed: (clause) => own(clause).some(({ verdict }) => verdict === 'pass'),
    heldIn: (clause) => own(clause).flatMap(({ held }) => held ?? []),
  };
}

function isOf({ kind, clauses, codes }: Listed, check: CheckResult, beside: Beside): boolean {
  return (
    check.clauses.some((clause) => clauses.includes(clause)) &&
    check.evidence.some(
      (evidence) => codes.includes(evidence.finding.code) && fitsKind(kind, evidence, beside),
    )
  );
}

/** Where nothing shows what the service is made of. */
function isUsual({ kind, of }: Listed, services: readonly Sign[]): boolean {
  return of === undefined || (services.length === 0 && !of.isFront && !OWN_PAGES.has(kind));
}

function signsOf(results: readonly CheckResult[]): readonly Sign[] {
  return results.flatMap(({ evidence }) => evidence.flatMap(({ exchange }) => signsIn(exchange)));
}

/** A page or a front belongs to one answer; a framework to the service, wherever it showed. */
function signFor({ kind, of }: Listed, own: readonly Sign[], services: readonly Sign[]): Sign | undefined {
  if (of === undefined) return undefined;
  if (of.isFront) return own.find((sign) => sign.of === of);
  if (OWN_PAGES.has(kind)) return own.find((sign) => sign.of === of && sign.isPage);
  return services.find((sign) => sign.of === of || (of.isLibrary && sign.of.language === of.language));
}

function remedyOf({ of, cause, mend }: Listed, sign?: Sign): Remedy {
  return {
    ...(of !== undefined && { of: of.name, docs: of.docs }),
    ...(sign !== undefined && { seen: sign.seen }),
    cause,
    mend,
  };
}

/** Everything that is listed for failures of these clauses. */
export function remediesOfClauses(clauses: readonly ClauseId[]): readonly Remedy[] {
  const own = LISTED.filter((each) => clauses.some((clause) => each.clauses.includes(clause)));
  return own.map((each) => remedyOf(each));
}

/** The gateways that these answers came through, each with what shows it. */
export function gatewaysBefore(group: readonly CheckResult[]): readonly string[] {
  const signs = signsOf(group).filter(({ of }) => of.language === 'gateway');
  return [...new Set(signs.map(({ of, seen }) => `${of.name} (${seen})`))];
}
