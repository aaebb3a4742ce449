import type { Invariant } from '../model/check.ts';
import type { InvariantEntry } from '../model/entry-schema.ts';
import { type Exchange, isCutShort } from '../model/exchange.ts';
import { asError, notExercised, type RulingOrError } from '../model/ruling.ts';
import type { TargetInfo } from '../model/target.ts';
import { type Death, deathIn } from '../sending/lifeline.ts';

/**
 * Puts every answered exchange of a run before every invariant, in the order of their IDs, so that an invariant that remembers
 * says the same whatever the order of arrival was. An armed loss is left out: its answer is not the service's. What the code
 * of an invariant throws is a failure of ours.
 */
export function judgeInvariants(
  invariants: readonly Invariant[],
  record: readonly Exchange[],
  info: TargetInfo,
  redacted = (ruling: RulingOrError) => ruling,
): readonly InvariantEntry[] {
  const death = deathIn(record);
  const sent = record.filter(
    ({ id, outcome, armed }) =>
      outcome.kind !== 'not-sent' && armed !== 'loss' && death?.failed.has(id) !== true,
  );
  const sorted = sent.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return invariants.map((invariant) => {
    const rulings = rulingsOf(invariant, sorted, info, death);
    const others = rulings.filter(([, ruling]) => ruling instanceof Error || ruling.kind !== 'holds');
    return {
      type: 'invariant',
      id: invariant.id,
      held: rulings.length - others.length,
      rulings: others.map(([exchange, ruling]) => [exchange.id, redacted(ruling)]),
    };
  });
}

function rulingsOf(invariant: Invariant, sent: readonly Exchange[], info: TargetInfo, death?: Death) {
  const { ofDeath, unexercised } = invariant;
  const ofRun = invariant.ofRun?.(info);
  const rulings: (readonly [Exchange, RulingOrError])[] = [];
  let judge: ReturnType<Invariant['judge']> | undefined;
  for (const exchange of sent) {
    try {
      const { outcome } = exchange;
      const isJudged = outcome.kind === 'answered' && !isCutShort(outcome.answer);
      const ruling = isJudged ? (judge ??= invariant.judge(info))(exchange) : undefined;
      if (ruling !== undefined) rulings.push([exchange, ruling]);
      ofRun?.note(exchange);
    } catch (error) {
      rulings.push([exchange, asError(error)]);
    }
  }
  rulings.push(...(ofRun?.rulings() ?? []));
  // Only an exchange whose connection broke may have ended the target.
  if (ofDeath && death?.isSuspect === true) rulings.push([death.exchange, ofDeath(death.line)]);
  const [first] = sent;
  if (rulings.length === 0 && first !== undefined && unexercised !== undefined)
    rulings.push([first, notExercised(unexercised)]);
  return rulings;
}
