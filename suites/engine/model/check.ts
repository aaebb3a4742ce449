import { CLAUSES, type ClauseId, type Level } from '../../../fixtures/clauses/clauses.ts';
import type { Exchange } from './exchange.ts';
import { type Decides, type Ruling, asRuling } from './ruling.ts';
import type { Stimulus, Trial } from './stimulus.ts';
import type { TargetInfo } from './target.ts';

/** A trial that can be judged: something was sent, and the counterpart, if it has one, was accepted. */
export type Judged<T extends Trial = Trial> = Omit<T, 'exchanges'> & {
  readonly exchanges: readonly [Exchange, ...Exchange[]];
};

/** Synchronous and pure: from a request and its answer to a ruling. */
export type Judgement<T extends Trial = Trial> = (trial: Judged<T>, info: TargetInfo) => Ruling;

/** The limits that a judgement goes by: its constants, by what they are for people. */
export type Thresholds = Readonly<Record<string, number>>;

export interface CheckDeclaration<T extends Trial> {
  /** Words joined by hyphens; once published it never changes its meaning. */
  readonly id: string;
  /** The clauses it decides; the first one gives the level. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** A sentence about the service, without its subject: "refuses a request that …". */
  readonly title: string;
  readonly decides?: Decides<T>;
  readonly given: Stimulus<T>;
  readonly holds: Judgement<T>;
  /** The ruling on a trial with an uncertain exchange, such as a connection that broke; undefined if none. */
  readonly tellsUncertain?: (trial: Judged<T>, info: TargetInfo) => Ruling | undefined;
  /** Weaker than that of the first clause; `because` then says why. */
  readonly level?: Level;
  /** Why a clause that is weaker than stated follows nevertheless. */
  readonly because?: string;
  readonly thresholds?: Thresholds;
  /** Present: the ID of the invariant that judges the same of the answer to every valid and accepted chat. */
  readonly everywhere?: string;
}

/** A check as the engine and the reports see it. */
export interface Check extends Omit<CheckDeclaration<Trial>, 'clauses'> {
  /** None: a check of a caller's own, which decides no clause. */
  readonly clauses: readonly ClauseId[];
  readonly level: Level;
}

/** The level of a check or an invariant: its own, or else that of its first clause. */
export function levelOf({ level, clauses }: Pick<Check, 'clauses'> & { readonly level?: Level }): Level {
  const [first] = clauses;
  return level ?? (first === undefined ? 'stated' : CLAUSES[first].level);
}

/** Declares a check. A check is a value: nothing happens until the engine runs its stimulus. */
export function check<T extends Trial>(
  declaration: CheckDeclaration<T>,
): Check & Pick<CheckDeclaration<T>, 'clauses'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine hands a judgement only trials of its own stimulus
  return { ...(declaration as unknown as CheckDeclaration<Trial>), level: levelOf(declaration) };
}

/** What decides a clause among the exports of files, in an order of ours: that of a module's exports depends on who loads it. */
export function judgesIn<T extends { readonly id: string }>(
  files: readonly Readonly<Record<string, unknown>>[],
  member: string & keyof T,
): readonly T[] {
  return files.flatMap((file) =>
    Object.values(file)
      .filter(
        (each): each is T => typeof each === 'object' && each !== null && 'id' in each && member in each,
      )
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
}

export const OWN_SECTION = 'own';

/** How the IDs of own checks and the names of their stimuli begin: no release ever uses it. */
export const OWN_PREFIX = 'x-';

/** A check that a user adds to the suites. */
export interface OwnCheckDeclaration<T extends Trial> extends Omit<
  CheckDeclaration<T>,
  'id' | 'clauses' | 'tellsUncertain' | 'thresholds' | 'everywhere'
> {
  /** `x-` and words joined by hyphens. */
  readonly id: `${typeof OWN_PREFIX}${string}`;
  /** The clauses it also decides, if any; the first one gives the level, which is `stated` without any. */
  readonly clauses?: readonly ClauseId[];
}

export function ownCheck<T extends Trial>(declaration: OwnCheckDeclaration<T>): Check {
  const clauses = declaration.clauses ?? [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine hands a judgement only trials of its own stimulus
  const judged = declaration as unknown as OwnCheckDeclaration<Trial>;
  const holds: Check['holds'] = (trial, info) => asRuling(judged.holds(trial, info));
  return { ...judged, clauses, level: levelOf({ ...judged, clauses }), holds };
}

export function isOwn({ id }: Pick<Check, 'id'>): boolean {
  return id.startsWith(OWN_PREFIX);
}

/** Looks at every exchange that was sent, answered or uncertain, in the order of their IDs, and rules in the end. */
export interface RunJudge {
  readonly note: (exchange: Exchange) => void;
  readonly rulings: () => readonly (readonly [Exchange, Ruling])[];
}

/** A judgement of every exchange of a run, whatever provoked it. */
export interface Invariant extends Omit<
  CheckDeclaration<Trial>,
  'decides' | 'given' | 'holds' | 'tellsUncertain' | 'everywhere'
> {
  /** The duty of its clauses that it decides, as of a check. */
  readonly decides?: string;
  /** Present: only a whole run shows whether a failure is fixed. It compares exchanges, or the service may fail now and then. */
  readonly ofWholeRun?: true;
  /** What it rules on the exchange that ended the target; `what` is a sentence about it. */
  readonly ofDeath?: (what: string) => Ruling;
  /** Makes the judge of what all exchanges of one run show together. */
  readonly ofRun?: (info: TargetInfo) => RunJudge;
  /** Why it is not exercised by a run of which it rules on nothing. Absent: such a run says nothing of it. */
  readonly unexercised?: string;
  /** Makes the judge of one run, which may keep state. Returns undefined for an exchange that it does not judge. */
  readonly judge: (info: TargetInfo) => (exchange: Exchange) => Ruling | undefined;
}
