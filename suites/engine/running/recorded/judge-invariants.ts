import type { ExchangeRuling, Invariant, RunJudge } from '../../model/check.ts';
import type { InvariantEntry } from '../../model/entry-schema.ts';
import { type Exchange, isCutShort } from '../../model/exchange.ts';
import { type Ruling, asError, notExercised } from '../../model/ruling.ts';
import type { TargetInfo } from '../../model/target.ts';
import { type Death, deathIn } from '../../sending/lifeline.ts';

/** Takes keys out of a ruling. */
type RedactRuling = (ruling: Ruling | Error) => Ruling | Error;

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
): readonly InvariantEntry[] {
  const steps = judgingInvariants(invariants, record, info, redacted);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, exchange by exchange, for a process that has other things to do. */
export function* judgingInvariants(
  invariants: readonly Invariant[],
  record: readonly Exchange[],
  info: TargetInfo,
  redacted: RedactRuling = (ruling) => ruling,
): Generator<void, readonly InvariantEntry[], void> {
  const sent = record.filter(({ outcome }) => outcome.kind !== 'not-sent').toSorted(byId);
  const judges = invariants.map((invariant) => new Judge(invariant, info));
  for (const exchange of sent) {
    for (const judge of judges) judge.note(exchange);
    yield;
  }
  const death = deathIn(record);
  return judges.map((judge) => judge.entry(death, redacted));
}

/** How one invariant rules on the exchanges of a run. What its code throws is a failure of ours. */
class Judge {
  readonly #invariant: Invariant;
  readonly #info: TargetInfo;
  readonly #ofRun: RunJudge | undefined;
  readonly #rulings: ExchangeRuling[] = [];
  #judge: ReturnType<Invariant['judge']> | undefined;
  #first: Exchange | undefined;

  constructor(invariant: Invariant, info: TargetInfo) {
    this.#invariant = invariant;
    this.#info = info;
    this.#ofRun = invariant.ofRun?.(info);
  }

  note(exchange: Exchange): void {
    const { outcome, armed } = exchange;
    if (armed === 'loss') return;
    this.#first ??= exchange;
    if (outcome.kind === 'answered' && !isCutShort(outcome.answer))
      this.#add(exchange, () => (this.#judge ??= this.#invariant.judge(this.#info))(exchange));
    this.#add(exchange, () => {
      this.#ofRun?.note(exchange);
      return undefined;
    });
  }

  #add(exchange: Exchange, rule: () => Ruling | undefined): void {
    try {
      const ruling = rule();
      if (ruling !== undefined) this.#rulings.push([exchange, ruling]);
    } catch (error) {
      this.#rulings.push([exchange, asError(error)]);
    }
  }

  entry(death: Death | undefined, redacted: RedactRuling): InvariantEntry {
    const { id, ofDeath, unexercised } = this.#invariant;
    // Only an exchange whose connection broke may have ended the target.
    const last: readonly ExchangeRuling[] =
      ofDeath !== undefined && death?.isSuspect === true ? [[death.exchange, ofDeath(death.line)]] : [];
    const all = [...this.#rulings, ...(this.#ofRun?.rulings() ?? []), ...last];
    if (all.length === 0 && this.#first !== undefined && unexercised !== undefined)
      all.push([this.#first, notExercised(unexercised)]);
    const others = all.filter(([, ruling]) => ruling instanceof Error || ruling.kind !== 'holds');
    return {
      type: 'invariant',
      id,
      held: all.length - others.length,
      rulings: others.map(([exchange, ruling]) => [exchange.id, redacted(ruling)]),
    };
  }
}

function byId(a: Exchange, b: Exchange): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
