import { type Exchange, isCutShort } from '../model/exchange.ts';
import type { ExchangeRuling, Invariant, RunJudge } from '../model/invariant.ts';
import { type Ruling, asError } from '../model/ruling.ts';
import type { TargetInfo } from '../model/target.ts';
import { type Death, deathIn, describeDeathHere } from '../sending/lifeline.ts';
import { bySize, Tally } from '../summary/tally.ts';

/**
 * Puts every answered exchange of a run before every invariant, in the order of their IDs, so that an invariant
 * that remembers says the same whatever the order of arrival was. An armed loss is left out: its answer is not the
 * service's.
 */
export function judgeInvariants(
  invariants: readonly Invariant[],
  record: readonly Exchange[],
  info: TargetInfo,
  redacted?: RedactRuling,
): InvariantRulings {
  const steps = judgingInvariants(invariants, record, info, redacted);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export type InvariantRulings = ReadonlyMap<Invariant, readonly ExchangeRuling[]>;

/** Takes keys out of a ruling. */
type RedactRuling = (ruling: Ruling | Error) => Ruling | Error;

/** The same, exchange by exchange, for a process that has other things to do. */
export function* judgingInvariants(
  invariants: readonly Invariant[],
  record: readonly Exchange[],
  info: TargetInfo,
  redacted: RedactRuling = (ruling) => ruling,
): Generator<void, InvariantRulings, void> {
  const sent = record.filter(({ outcome }) => outcome.kind !== 'not-sent').toSorted(byId);
  const death = deathIn(record);
  const judges = invariants.map((invariant) => {
    const rulings: ExchangeRuling[] = [];
    return { invariant, judge: judgeOf(invariant, info), ofRun: invariant.ofRun?.(info), rulings };
  });
  for (const exchange of sent) {
    for (const { judge, ofRun, rulings } of judges) {
      const ruling = isJudged(exchange) ? guarded(judge, exchange) : undefined;
      if (ruling !== undefined) rulings.push([exchange, ruling]);
      if (exchange.armed === 'loss' || ofRun === undefined) continue;
      const failure = failureIn(ofRun, exchange);
      if (failure !== undefined) rulings.push([exchange, failure]);
    }
    yield;
  }
  return new Map(
    judges.map(({ invariant, ofRun, rulings }) => {
      const all = [...rulings, ...(ofRun?.rulings() ?? []), ...rulingsOnDeath(invariant, death)];
      return [invariant, all.map(([exchange, ruling]) => [exchange, redacted(ruling)])];
    }),
  );
}

function isJudged({ outcome, armed }: Exchange): boolean {
  return outcome.kind === 'answered' && armed !== 'loss' && !isCutShort(outcome.answer);
}

export function tallyExchanges(rulings: readonly ExchangeRuling[]): Tally {
  const tally = new Tally();
  for (const [exchange, ruling] of rulings) tally.add(ruling, { exchanges: [exchange] });
  // Invariants do not shrink: the shortest failing request stands in for the simplest one.
  tally.failures.sort(bySize);
  return tally;
}

/** Only an exchange whose connection broke may have ended the target. */
function rulingsOnDeath({ ofDeath }: Invariant, death: Death | undefined): ExchangeRuling[] {
  if (ofDeath === undefined || death?.isSuspect !== true) return [];
  return [[death.exchange, ofDeath(describeDeathHere(death))]];
}

/** One that cannot be made throws for every exchange. */
function judgeOf(invariant: Invariant, info: TargetInfo): ReturnType<Invariant['judge']> {
  try {
    return invariant.judge(info);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function failureIn(ofRun: RunJudge, exchange: Exchange): Error | undefined {
  try {
    ofRun.note(exchange);
    return undefined;
  } catch (error) {
    return asError(error);
  }
}

function guarded(
  judge: (exchange: Exchange) => Ruling | undefined,
  exchange: Exchange,
): Ruling | Error | undefined {
  try {
    return judge(exchange);
  } catch (error) {
    return asError(error);
  }
}

function byId(a: Exchange, b: Exchange): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
