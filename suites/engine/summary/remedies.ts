import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, Remedy, ShownExchange } from '../model/summary.ts';
import { isJsonObject, jsonIn, valueAt } from '../reading/json.ts';
import { FRAMEWORK_TABLE, REMEDY_TABLE, rowsOf, rowsUnderHeads } from './remedy-table.ts';

/** Nothing matches it. */
const NEVER = '(?!)';

export const ALL_FRAMEWORKS = rowsOf(FRAMEWORK_TABLE).map(
  ([name = '', kind = '', docs = '', header, page]) => ({
    name,
    docs,
    language: kind.replace('in ', ''),
    /** Any framework of the language may use it. */
    isLibrary: kind.startsWith('in '),
    /** It is no service: it stands before one. */
    isFront: kind === 'proxy' || kind === 'gateway',
    header: new RegExp(`^${header || NEVER}`, 'm'),
    page: new RegExp(page || NEVER),
  }),
);

/** A framework or a front that an answer shows, with what shows it: a header, or the beginning of a body of its own. */
type Sign = ReturnType<typeof signsIn>[number];

function signsIn({ answer }: Pick<ShownExchange, 'answer'>) {
  if (answer === undefined) return [];
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return ALL_FRAMEWORKS.flatMap((of) => {
    const page = of.page.exec(answer.body)?.[0];
    const seen = page ?? of.header.exec(headers.join('\n'))?.[0];
    return seen === undefined ? [] : { of, seen: seen.split('\n', 1).join(), isPage: page !== undefined };
  });
}

type Listed = (typeof LISTED)[number];

/** Each line of the table, with its kind of finding: its clauses, its codes, and what else shows; `not` before what does not. */
const LISTED = rowsUnderHeads(REMEDY_TABLE).map(
  ({ head: [kind = '', clauses = '', codes = '', showing], row: [name = '', cause = '', mend = ''] }) => ({
    kind,
    clauses: clauses.split(' '),
    codes: codes.split(' '),
    showing: showing?.split(', '),
    of: ALL_FRAMEWORKS.find((each) => each.name === name),
    cause,
    mend,
  }),
);

const MOST = 3;

/** What usually mends the failures of a group, by what the run shows of the service, and nothing that it refutes. */
export function remediesFor(group: readonly CheckResult[], run: readonly CheckResult[]): readonly Remedy[] {
  const own = signsOf(group);
  const services = signsOf(run).filter(({ of }) => !of.isFront);
  const ofRun = shownBy(run);
  const found = group.flatMap(({ clauses, evidence }) =>
    evidence.map((each) => ({
      clauses,
      code: each.finding.code,
      shown: new Set([...shownIn(each), ...ofRun]),
    })),
  );
  const ranked = LISTED.filter((each) => found.some((finding) => isOf(each, finding))).flatMap((each) => {
    const sign = signFor(each, own, services);
    if (sign === undefined && !isUsual(each, services)) return [];
    // A framework of that name, then what its language offers, then what nothing shows.
    return { rank: sign === undefined ? 2 : Number(sign.of !== each.of), remedy: remedyOf(each, sign) };
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.flatMap(({ rank, remedy }) => (rank === best ? remedy : [])).slice(0, MOST);
}

/** A finding, with what its evidence and the run show. */
interface Found extends Pick<CheckResult, 'clauses'> {
  readonly code: string;
  readonly shown: ReadonlySet<string>;
}

function isOf({ clauses, codes, showing = [] }: Listed, found: Found): boolean {
  return (
    found.clauses.some((clause) => clauses.includes(clause)) &&
    codes.includes(found.code) &&
    showing.every((each) => found.shown.has(each.replace(/^not /, '')) !== each.startsWith('not '))
  );
}

/** What the whole run shows: one part of it may refute what another suggests. */
function shownBy(run: readonly CheckResult[]): readonly string[] {
  const passes = (clause: ClauseId): boolean =>
    run.some(({ verdict, clauses }) => verdict === 'pass' && clauses.includes(clause));
  const held = run.flatMap((check) => (check.clauses.includes('REQ-6') ? (check.held ?? []) : []));
  // A parser may refuse some names, such as `__proto__`, whatever the service does with the others.
  const takesAll = !passes('REQ-6') && (held.length === 0 || held.includes(0));
  // Who coerces the text of one field coerces that of others too.
  return [takesAll ? 'every field' : '', passes('REQ-3') || passes('REQ-4') ? '' : 'every value'];
}

/** What a piece of evidence shows, in the words of the table: where the request differs from its counterpart, what stands there, … */
function shownIn({ exchange, control }: Evidence): readonly string[] {
  const place = control?.difference ?? '';
  const body = jsonIn(exchange.request.body);
  const value = body !== undefined && place.startsWith('/') ? valueAt(body, place) : undefined;
  const { status = 0, headers = {}, body: text } = exchange.answer ?? {};
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const facts: Readonly<Record<string, boolean>> = {
    'one field': /^\/[^/]*$/.test(place),
    'a known field': /^\/(?:model|messages|temperature|max_tokens|stream)$/i.test(place),
    scheme: place.includes(' scheme'),
    'in the other case': place.includes('in the other case'),
    elsewhere: /in the header|in the address/.test(place),
    nothing: value === undefined,
    null: value === null,
    text: typeof value === 'string',
    number: typeof value === 'number',
    'number or boolean': typeof value === 'number' || typeof value === 'boolean',
    'an object sent': isJsonObject(body),
    'a stream': isJsonObject(body) && body['stream'] === true,
    [`status ${status}`]: true,
    'no type': type === '',
    [type]: true,
    JSON: jsonIn(text) !== undefined,
  };
  return Object.keys(facts).filter((fact) => facts[fact]);
}

function signsOf(results: readonly CheckResult[]): readonly Sign[] {
  return results.flatMap(({ evidence }) => evidence.flatMap(({ exchange }) => signsIn(exchange)));
}

/** Of these, the answer itself has to show who wrote it. */
const OWN_PAGES: ReadonlySet<string> = new Set(['no error object', 'a page of a front']);

/** A page or a front belongs to one answer; a framework to the service, wherever it showed. */
function signFor({ kind, of }: Listed, own: readonly Sign[], services: readonly Sign[]): Sign | undefined {
  if (of === undefined) return undefined;
  if (of.isFront) return own.find((sign) => sign.of === of);
  if (OWN_PAGES.has(kind)) return own.find((sign) => sign.of === of && sign.isPage);
  return services.find((sign) => sign.of === of || (of.isLibrary && sign.of.language === of.language));
}

/** Where nothing shows what the service is made of. */
function isUsual({ kind, of }: Listed, services: readonly Sign[]): boolean {
  return of === undefined || (services.length === 0 && !of.isFront && !OWN_PAGES.has(kind));
}

function remedyOf({ of, cause, mend }: Listed, sign?: Sign): Remedy {
  const who = of && { of: of.name, docs: of.docs };
  return { ...who, ...(sign && { seen: sign.seen }), cause, mend };
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
