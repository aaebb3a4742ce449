import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, Remedy } from '../model/summary.ts';
import { isJsonObject, parseJson, valueAt } from '../reading/json.ts';
import { ALL_FRAMEWORKS, type Framework, rowsOf, type Sign, signsIn } from './frameworks.ts';
import { REMEDY_TABLE } from './remedy-table.ts';

interface Listed {
  readonly kind: string;
  readonly clauses: readonly string[];
  readonly codes: readonly string[];
  /** What else shows where a finding is of this kind; `not` before what does not. */
  readonly showing: readonly string[];
  readonly of: Framework | undefined;
  readonly cause: string;
  readonly mend: string;
}

const LISTED: readonly Listed[] = listed();

function listed(): readonly Listed[] {
  let head: readonly string[] = [];
  return rowsOf(REMEDY_TABLE).flatMap(([first = '', cause, mend = '']) => {
    if (cause === undefined) head = first.split(': ');
    const [kind = '', clauses = '', codes = '', showing] = head;
    const lists = {
      clauses: clauses.split(' '),
      codes: codes.split(' '),
      showing: showing?.split(', ') ?? [],
    };
    return cause === undefined ? [] : [{ kind, ...lists, of: ALL_FRAMEWORKS.get(first), cause, mend }];
  });
}

/** Of these, the answer itself has to show who wrote it. */
const OWN_PAGES: ReadonlySet<string> = new Set(['no error object', 'a page of a front']);

const MOST = 3;

/** What usually mends the failures of a group, by what the run shows of the service, and nothing that it refutes. */
export function remediesFor(group: readonly CheckResult[], run: readonly CheckResult[]): readonly Remedy[] {
  const own = signsOf(group);
  const services = signsOf(run).filter(({ of }) => !of.isFront);
  const findings = group.flatMap((check) =>
    check.evidence.map((each) => ({ clauses: check.clauses, code: each.finding.code, shown: shownIn(each) })),
  );
  const ofRun = shownBy(run);
  const remedies = LISTED.filter((each) => findings.some((finding) => isOf(each, finding, ofRun))).flatMap(
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

interface Found {
  readonly clauses: readonly string[];
  readonly code: string;
  readonly shown: readonly string[];
}

function isOf({ clauses, codes, showing }: Listed, found: Found, ofRun: readonly string[]): boolean {
  const shown = new Set([...found.shown, ...ofRun]);
  return (
    found.clauses.some((clause) => clauses.includes(clause)) &&
    codes.includes(found.code) &&
    showing.every((each) => shown.has(each.replace(/^not /, '')) !== each.startsWith('not '))
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

function jsonIn(text = ''): JsonValue | undefined {
  const reading = parseJson(Buffer.from(text));
  return reading.kind === 'json' ? reading.value : undefined;
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
