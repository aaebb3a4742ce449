import type { Recording } from '../journal/read-journal.ts';
import { levelOf } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Invariant } from '../model/invariant.ts';
import { type Ruling, notExercised } from '../model/ruling.ts';
import type { TargetInfo } from '../model/target.ts';
import { missingAnswer } from '../running/judge-draw.ts';
import { judgeInvariants, tallyExchanges } from '../running/judge-invariants.ts';
import { recordedDraft, type PreparedReplay, replayOutcome, ReplayError, withWire } from './replay.ts';

/**
 * Prepares the shortest request whose answer broke an invariant to be sent again: the same bytes, under a fresh
 * Idempotency-Key.
 * @throws {ReplayError} When no recorded exchange shows the failure by itself.
 */
export function replayOfInvariant(invariant: Invariant, { info, record }: Recording): PreparedReplay {
  if (info === undefined) throw new ReplayError(`${invariant.id} did not fail in that run`);
  const { exchange, before } = failureIn(invariant, record, info);
  if (exchange.armed !== undefined) throw new ReplayError('a fault was armed for the request that failed');
  const draft = recordedDraft(exchange.request);
  const send: PreparedReplay['send'] = (options, tell) =>
    withWire({ ...options, invariants: [invariant] }, info, async (wire) => {
      const again = await wire.sender('replay').send(draft);
      const now = missingAnswer({ exchanges: [again] }, wire) ?? rulingOn(invariant, again, info);
      const level = levelOf(invariant);
      const outcome = replayOutcome(before, now, { level, profile: info.profile });
      return tell({ outcome, before, now, exchanges: wire.record });
    });
  return { exchanges: [exchange], send };
}

function failureIn(
  invariant: Invariant,
  record: readonly Exchange[],
  info: TargetInfo,
): { readonly exchange: Exchange; readonly before: Ruling } {
  const rulings = judgeInvariants([invariant], record, info).get(invariant) ?? [];
  const [exchange] = tallyExchanges(rulings).failures.flatMap(({ trial }) => trial.exchanges);
  if (exchange === undefined) throw new ReplayError(`${invariant.id} did not fail in that run`);
  const before = rulingOn(invariant, exchange, info);
  if (before instanceof Error || before.kind !== 'violated')
    throw new ReplayError(`${invariant.id} fails only across the exchanges of a whole run`);
  return { exchange, before };
}

function rulingOn(invariant: Invariant, exchange: Exchange, info: TargetInfo): Ruling | Error {
  const [ruling] = judgeInvariants([invariant], [exchange], info).get(invariant) ?? [];
  return ruling?.[1] ?? notExercised('the answer does not exercise the clause');
}
