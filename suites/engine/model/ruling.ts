import type { z } from 'zod';
import type { ruling } from './entry-schema.ts';
import type { Fixed } from './exchange.ts';

/** The result of judging one trial. */
export type Ruling = Exclude<RulingOrError, Error>;

/** The same; an Error is a failure of ours. */
export type RulingOrError = Fixed<z.infer<typeof ruling>>;

/** What a judgement found wrong. `code` and `path` together identify a failure while shrinking. */
export type Finding = Extract<Ruling, { kind: 'violated' }>['finding'];

/** What identifies a failure of a check. */
export type Kind = Pick<Finding, 'code' | 'path'>;

/** The kind of a failure alone. */
export function kindOf({ code, path }: Kind): Kind {
  return { code, ...(path !== undefined && { path }) };
}

/** Of a kind, to group by. */
export function kindText({ code, path = '' }: Kind): string {
  return `${code} ${path}`;
}

export function isSameFailure(a: Kind, b: Kind): boolean {
  return a.code === b.code && a.path === b.path;
}

/** What the target did at a point the specification leaves open. */
export type Observation = Extract<Ruling, { kind: 'observed' }>['observations'][number];

export const HOLDS: Ruling = { kind: 'holds' };

export function violated(code: string, expected: string, actual: string, path?: string): Ruling {
  return { kind: 'violated', finding: { code, expected, actual, ...(path !== undefined && { path }) } };
}

/** What is wrong by a ruling; undefined where it is no violation. */
export function findingIn(ruling: RulingOrError | undefined): Finding | undefined {
  return ruling instanceof Error || ruling?.kind !== 'violated' ? undefined : ruling.finding;
}

/** Whether a ruling says anything of the service. */
export function isDecision(ruling: RulingOrError): boolean {
  return !(ruling instanceof Error) && DECISIONS.has(ruling.kind);
}

const DECISIONS: ReadonlySet<Ruling['kind']> = new Set(['holds', 'violated', 'observed']);

/** The same ruling, where another than the first of the trial's exchanges shows what is wrong. */
export function shownBy(place: number, ruling: Ruling): Ruling {
  if (ruling.kind !== 'violated' || place === 0) return ruling;
  return { ...ruling, finding: { ...ruling.finding, exchange: place } };
}

export function observed(...observations: Observation[]): Ruling {
  return { kind: 'observed', observations };
}

export function notExercised(reason: string, hint?: string): Ruling {
  return { kind: 'not-exercised', reason, ...(hint !== undefined && { hint }) };
}

const NOT_SENT = 'not sent: ';

/** The ruling on what would have been judged by a request that was not sent. */
export function notSent(reason: string): Ruling {
  return notExercised(NOT_SENT + reason);
}

/** Whether it was for want of a request that something was not exercised. */
export function saysNotSent(reason: string): boolean {
  return reason.startsWith(NOT_SENT);
}

export function inconclusive(reason: string): Ruling {
  return { kind: 'inconclusive', reason };
}

/** Why a proxy leaves something open; `by`: its name, as `TargetInfo` has it. */
export function proxyDoubt(by: string, done: string): string {
  return `${by} may have ${done}: bypass it with --no-proxy, or use https`;
}

/**
 * Which duties of its clauses a check decides: one, or for each whether a trial bears on it. Absent: those of clauses
 * without named duties; elsewhere it finds violations, and its pass proves nothing.
 */
export type Decides<T> = string | Readonly<Record<string, (trial: T) => boolean>>;

/** The same, or without its functions. */
export type AnyDuties = Decides<never> | readonly string[];

/** Without functions: a text, or a list where it depends on the trial. */
export function decidedDuties(decides: AnyDuties): string | readonly string[] {
  if (typeof decides === 'string' || Array.isArray(decides)) return decides;
  return Object.keys(decides);
}

/**
 * The ruling on a trial, with the duties that it bears on where these depend on the trial. A doubt that bears on none in
 * particular bears on all.
 */
export function withDuties<T>(ruling: Ruling, decides: Decides<T> | undefined, trial: T): Ruling {
  if (decides === undefined || typeof decides === 'string') return ruling;
  const duties = Object.entries(decides).flatMap(([duty, bears]) => (bears(trial) ? duty : []));
  const isDoubt = ruling.kind === 'inconclusive' && duties.length === 0;
  return { ...ruling, duties: isDoubt ? Object.keys(decides) : duties };
}

/** Each kind of ruling, with the texts that it says. */
const TEXTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['holds', []],
  ['violated', ['code', 'expected', 'actual']],
  ['observed', []],
  ['not-exercised', ['reason']],
  ['inconclusive', ['reason']],
]);

/**
 * What somebody else's judgement returned, which may be anything, as a journal holds it.
 * @throws {TypeError} Given what is no ruling.
 */
export function asRuling(value: unknown): Ruling {
  if (value instanceof Promise) value.catch(() => {});
  const plain = JSON.parse(JSON.stringify(value) ?? '{}');
  const { kind, finding = plain, observations }: Readonly<Record<string, unknown>> = Object(plain);
  const said: Readonly<Record<string, unknown>> = Object(finding);
  const isWhole = TEXTS.get(kind)?.every((name) => typeof said[name] === 'string') === true;
  if (isWhole && (kind !== 'observed' || Array.isArray(observations))) return plain;
  const message = 'a judgement must return a ruling such as HOLDS, not a promise, with its texts as strings';
  // Without a stack: the place of ours in it says nothing about the judgement.
  throw Object.assign(new TypeError(message), { stack: `TypeError: ${message}` });
}

/** What code of somebody else threw, which may be anything. */
export function asError(thrown: unknown): Error {
  try {
    const isWhole =
      thrown instanceof Error && [thrown.name, thrown.message].every((text) => typeof text === 'string');
    return isWhole ? thrown : new Error(String(thrown));
  } catch {
    return new Error('something was thrown that cannot be shown');
  }
}
